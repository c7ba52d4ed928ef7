"""Who is asking: keys of agents, users by their tokens, and what each may."""
