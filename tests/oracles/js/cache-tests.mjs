// The conditional requests of http-cache-tests, as JSON on standard output. The package is data here: the client
// and the server that it has beside its tests are not run, and what they depend on is not installed.
import etag from "http-cache-tests/tests/conditional-etag.mjs";
import modified from "http-cache-tests/tests/conditional-lm.mjs";

process.stdout.write(JSON.stringify([etag, modified].flatMap(({ tests }) => tests)));
