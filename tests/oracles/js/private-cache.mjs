// Every suite of http-cache-tests, as JSON on standard output: data alone, as in cache-tests.mjs.
import suites from "http-cache-tests/tests/index.mjs";
import surrogate from "http-cache-tests/tests/surrogate-control.mjs";

process.stdout.write(JSON.stringify([...suites, surrogate]));
