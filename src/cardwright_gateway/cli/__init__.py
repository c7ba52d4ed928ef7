"""The commands `cardwright gateway …`."""
