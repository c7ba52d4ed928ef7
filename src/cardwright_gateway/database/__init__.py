"""What the gateway keeps in its database."""
