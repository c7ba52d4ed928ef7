"""Benchmarks: cardwright and other libraries, measured in one interleaved run."""
