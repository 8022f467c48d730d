"""A lineage as one page: a drawing that works offline, from one HTML file."""

from mapgraph_neo.viz.page import lineage_html

__all__ = ["lineage_html"]
