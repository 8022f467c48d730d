"""The optional packages behind the private server: one message when they are not installed."""

from collections.abc import Generator
from contextlib import contextmanager

from mapgraph_neo.errors import ServerError


@contextmanager
def local_extra() -> Generator[None, None, None]:
    """Turn a failed import in the body into an error that says what to install.

    Raises:
        ServerError: A package of the extra ``local`` is missing.

    """
    try:
        yield
    except ImportError as error:
        message = (
            f"the private Neo4j server needs the package `{error.name}`: "
            'pip install "mapgraph-neo[local]", or set NEO4J_URI to use another server'
        )
        raise ServerError(message) from error
