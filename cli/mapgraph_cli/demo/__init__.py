"""``mapgraph demo``: a week of four agents, then a live part that reaches all five outcomes."""
