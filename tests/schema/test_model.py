"""Document, closed sets, typed model and schema scripts name the same things."""

import subprocess
import sys

import graph_words
import pytest
from neomodel import (
    ArrayProperty,
    BooleanProperty,
    DateTimeNeo4jFormatProperty,
    FloatProperty,
    IntegerProperty,
    StringProperty,
)

from mapgraph_neo import nodes, schema
from mapgraph_neo.errors import RefusedError
from mapgraph_neo.vocabulary import ENDPOINTS, EdgeType, NodeLabel, StateLabel

CYPHER_TYPES = {
    ArrayProperty: "LIST<STRING>",
    BooleanProperty: "BOOLEAN",
    DateTimeNeo4jFormatProperty: "ZONED DATETIME",
    FloatProperty: "FLOAT",
    IntegerProperty: "INTEGER",
    StringProperty: "STRING",
}


def properties(model: type) -> dict[str, str]:
    """Return the properties of a class as they stand in the graph."""
    found = model.defined_properties(aliases=False, rels=False)
    return {p.db_property or name: CYPHER_TYPES[type(p)] for name, p in found.items()}


def relationships(model: type) -> dict[str, dict[str, object]]:
    return model.defined_properties(aliases=False, properties=False)


def test_the_document_has_each_label_and_type_once() -> None:
    words = {str(word) for word in [*NodeLabel, *EdgeType]} | {"MapNode"}

    assert set(graph_words.tables()) - graph_words.bookkeeping() == words


@pytest.mark.parametrize("label", NodeLabel)
def test_node_classes_have_the_documented_properties(label: NodeLabel) -> None:
    tables = graph_words.tables()

    assert properties(nodes.NODES[label]) == tables["MapNode"] | tables[label]


@pytest.mark.parametrize("label", NodeLabel)
def test_node_classes_have_both_labels_and_may_be_marked(label: NodeLabel) -> None:
    model = nodes.NODES[label]

    assert model.inherited_labels() == [label, "MapNode"]
    assert set(model.inherited_optional_labels()) == set(StateLabel)


@pytest.mark.parametrize("edge", EdgeType)
def test_edge_classes_have_the_documented_properties(edge: EdgeType) -> None:
    expected = graph_words.COMMON | graph_words.tables()[edge]

    assert properties(nodes.EDGES[edge]) == expected


@pytest.mark.parametrize("edge", EdgeType)
def test_edges_lead_where_the_vocabulary_says(edge: EdgeType) -> None:
    sources, targets = ENDPOINTS[edge]
    found = {}
    for label, model in nodes.NODES.items():
        for relationship in relationships(model).values():
            if relationship.definition["relation_type"] == edge:
                relationship.lookup_node_class()
                found[label] = relationship.definition

    assert graph_words.edges()[edge] == (set(sources), set(targets))
    assert set(found) == set(sources)
    assert all(each["model"] is nodes.EDGES[edge] for each in found.values())
    for label, definition in found.items():
        allowed = targets if edge is not EdgeType.AUTHORIZED_BY else _authority(label)
        expected = min(allowed) if len(allowed) == 1 else "MapNode"
        assert definition["node_class"].__name__ == expected


def _authority(label: str) -> set[str]:
    return {"User", "Agent"} if label == "Agent" else {"User"}


def test_rules_are_documented_and_name_documented_properties() -> None:
    tables = graph_words.tables()
    rules = schema.rules()

    assert [(r.kind, r.label, r.properties) for r in rules] == graph_words.rules()
    for rule in rules:
        known = tables[rule.label] | (tables["MapNode"] if rule.label in nodes.NODES else {})
        assert set(rule.properties) <= set(known), rule


def test_no_text_is_under_a_rule() -> None:
    unbounded = {"text", "metadata", "arguments", "reason", "detail", "answer", "clauses", "note"}

    assert not [rule for rule in schema.rules() if unbounded & set(rule.properties)]


@pytest.mark.parametrize("change", ["save", "delete"])
def test_the_model_refuses_to_write(change: str) -> None:
    memory = nodes.Memory(tenant="t", node_id="mem:1", seq=1)

    with pytest.raises(RefusedError, match="only read"):
        getattr(memory, change)()


@pytest.mark.parametrize("change", ["create", "create_or_update", "get_or_create"])
def test_the_model_refuses_to_create(change: str) -> None:
    with pytest.raises(RefusedError, match="only read"):
        getattr(nodes.Memory, change)({"tenant": "t", "node_id": "mem:1", "seq": 1})


def test_the_model_refuses_to_connect() -> None:
    memory = nodes.Memory(tenant="t", node_id="mem:1", seq=1)

    with pytest.raises(RefusedError, match="only read"):
        memory.derived_from.connect(memory)


def test_nothing_else_imports_neomodel() -> None:
    code = (
        "import sys, mapgraph_neo.schema, mapgraph_neo.graph; sys.exit('neomodel' in sys.modules)"
    )

    subprocess.run([sys.executable, "-c", code], check=True)
