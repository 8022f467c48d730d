"""A large lineage: a long chain, a wide fan below its first record, a record with many parents."""

from collections.abc import Iterator

READER, STRANGER = "agent:desk", "agent:fan"


def events(hops: int, children: int, parents: int) -> Iterator[dict[str, object]]:
    """Yield them below one source; ``agent:desk`` may read each record, ``agent:fan`` none."""
    yield {"event": "user", "id": "user:ida", "teams": ["press"]}
    yield {"event": "user", "id": "user:tom", "teams": ["sport"]}
    yield {"event": "agent", "id": READER, "user": "user:ida", "scopes": ["@user"]}
    yield {"event": "agent", "id": STRANGER, "user": "user:tom", "scopes": ["@user"]}
    wire = {"id": "res:wire", "scope": ["team:press"], "source_class": "internal"}
    yield {"event": "resource", **wire}
    say = {"event": "derive", "writer": READER, "scope": ["team:press"]}
    for number in range(hops):
        above = f"mem:c{number - 1}" if number else "res:wire"
        yield {**say, "id": f"mem:c{number}", "text": f"Step {number}", "parents": [above]}
    for number in range(children):
        yield {**say, "id": f"mem:w{number}", "text": f"Note {number}", "parents": ["mem:c0"]}
    many = [f"mem:w{number}" for number in range(parents)]
    yield {**say, "id": "mem:all", "text": "All of them", "parents": many}
