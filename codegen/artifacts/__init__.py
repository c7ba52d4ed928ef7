"""What others fetch: the schemas under their addresses, bundled forms, a page, a catalogue, sums, an archive."""
