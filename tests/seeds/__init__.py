"""The five documents that the project implements, row by row, each with the tests that show it (`make seeds`)."""
