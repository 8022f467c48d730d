"""The embedders that come with the package; each is imported only when it is asked for."""
