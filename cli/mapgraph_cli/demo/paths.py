"""Words a path of the lineage: ids from the evidence up to its source, with captions and states."""

from collections import deque
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mapgraph_neo.vocabulary import LINEAGE_EDGES, NodeLabel

if TYPE_CHECKING:
    from mapgraph_neo.model import Lineage, LineageNode


def path_lines(lineage: "Lineage", path: Sequence[str]) -> list[str]:
    """Return one line for each id of ``path``, each stepped in below the one that it led to."""
    nodes = {node.id: node for node in lineage.nodes}
    arrows = ["" if index == 0 else "   " * (index - 1) + "<- " for index in range(len(path))]
    wide = max((len(arrow + each) for arrow, each in zip(arrows, path, strict=True)), default=0)
    return [
        f"{arrow + each:<{wide}}  {_words(nodes.get(each))}".rstrip()
        for arrow, each in zip(arrows, path, strict=True)
    ]


def path_to_source(lineage: "Lineage") -> tuple[str, ...]:
    """Return a shortest path from the root to where it came from: a resource, if there is one."""
    above: dict[str, list[str]] = {}
    for edge in lineage.edges:
        if edge.type in LINEAGE_EDGES:
            above.setdefault(edge.source, []).append(edge.target)
    labels = {node.id: node.label for node in lineage.nodes}
    before: dict[str, str] = {}
    queue, ends = deque([lineage.root]), list[str]()
    seen = {lineage.root}
    while queue:
        here = queue.popleft()
        if not above.get(here):
            ends.append(here)
        for parent in above.get(here, ()):
            if parent not in seen:
                seen.add(parent)
                before[parent] = here
                queue.append(parent)
    end = next((each for each in ends if labels.get(each) is NodeLabel.RESOURCE), lineage.root)
    path = [end]
    while path[-1] != lineage.root:
        path.append(before[path[-1]])
    return tuple(reversed(path))


def _words(node: "LineageNode | None") -> str:
    if node is None:
        return ""
    state = "" if node.state == "active" else f" {node.state.upper()}"
    if node.label is NodeLabel.RESOURCE:
        kind, scope = node.properties.get("source_class"), node.properties.get("scope")
        return f"({kind}, for {_listed(scope)}){state}"
    return f'"{node.caption}"{state}'


def _listed(scope: object) -> str:
    names = list[str](scope) if isinstance(scope, Iterable) and not isinstance(scope, str) else []
    if "*" in names:
        return "everybody here"
    return ", ".join(names) or "nobody"
