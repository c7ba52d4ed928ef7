"""Where cards are kept: every version with its provenance, found again by text and by what they say."""
