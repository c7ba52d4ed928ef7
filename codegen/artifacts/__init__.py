"""The published files: schemas, bundled schemas, an index page, a catalogue, checksums and an archive."""
