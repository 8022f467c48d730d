"""The execution graph as typed neomodel classes, to look at; the only module that imports neomodel.

For administrators in a Python shell::

    from mapgraph_neo import nodes
    nodes.use(uri="bolt://127.0.0.1:7687", username="neo4j", password=...)
    memory = nodes.Memory.nodes.get(tenant="default", node_id="mem:42")
    [source.node_id for source in memory.observed_from]

The classes only read: what may be written depends on scopes, lineage and the epoch, which one
statement works out in one transaction (docs/adr/0002-neomodel.md). ``id`` is ``node_id`` here,
because neomodel keeps the name ``id`` for itself.
"""

from typing import Any, NoReturn

from neomodel import (
    ArrayProperty,
    BooleanProperty,
    DateTimeNeo4jFormatProperty,
    FloatProperty,
    IntegerProperty,
    RelationshipTo,
    StringProperty,
    StructuredNode,
    StructuredRel,
    ZeroOrMore,
    db,
    get_config,
)

from mapgraph_neo.errors import RefusedError
from mapgraph_neo.graph import Neo4jGraph
from mapgraph_neo.settings import load_graph_settings


def use(**given: object) -> None:
    """Let the classes read from where ``NEO4J_*`` or the arguments say, in this process."""
    settings = load_graph_settings(**given)
    get_config().database_name = settings.database
    db.set_connection(driver=Neo4jGraph(settings).driver)


def _refuse(*_: object, **__: object) -> NoReturn:
    message = "the classes of `mapgraph_neo.nodes` only read; write through MapGraph"
    raise RefusedError(message)


class Many(ZeroOrMore):
    """Edges to any number of nodes, which may be followed but not changed."""

    connect: Any = _refuse
    disconnect: Any = _refuse
    disconnect_all: Any = _refuse
    reconnect: Any = _refuse
    replace: Any = _refuse


class Edge(StructuredRel):
    """What every edge carries."""

    save: Any = _refuse

    at = DateTimeNeo4jFormatProperty()
    occurred_at = DateTimeNeo4jFormatProperty()


class AuthorizedBy(Edge):
    """A grant: what the holder may do, by whom, and for how long."""

    grant_id = StringProperty(db_property="id")
    scopes = ArrayProperty(StringProperty())
    rights = ArrayProperty(StringProperty())
    valid_from = DateTimeNeo4jFormatProperty()
    valid_to = DateTimeNeo4jFormatProperty()
    revoked_at = DateTimeNeo4jFormatProperty()


class ObservedFrom(Edge):
    """An observation, and the source that it was made of."""

    declared_by = StringProperty()


class ForwardedTo(Edge):
    """The delivery of a message."""


class DerivedFrom(Edge):
    """A derivation, and who named the parent."""

    declared_by = StringProperty()


class SummarizedFrom(Edge):
    """A summary, and who named the parent."""

    declared_by = StringProperty()


class WrittenBy(Edge):
    """The authorship, in a task."""

    task = StringProperty()


class ReadBy(Edge):
    """A read in a task, and the content as it was then."""

    task = StringProperty()
    content_hash = StringProperty()


class VerifiedBy(Edge):
    """A verdict on one content, and what it stands on."""

    outcome = StringProperty()
    content_hash = StringProperty()
    evidence = ArrayProperty(StringProperty())


class InvalidatedBy(Edge):
    """A revocation: its kind, its window, and whether it was undone."""

    revocation_id = StringProperty(db_property="id")
    kind = StringProperty()
    reason = StringProperty()
    since = DateTimeNeo4jFormatProperty()
    until = DateTimeNeo4jFormatProperty()
    undone_at = DateTimeNeo4jFormatProperty()
    undone_by = StringProperty()
    undo_reason = StringProperty()


class UsedForAction(Edge):
    """The use of a record by an action, as evidence or as a parameter."""

    role = StringProperty()


class MapNode(StructuredNode):
    """What every node of the execution graph has; the second label of each."""

    __optional_labels__ = ("Revoked", "Affected")

    create: Any = _refuse
    create_or_update: Any = _refuse
    delete: Any = _refuse
    get_or_create: Any = _refuse
    save: Any = _refuse

    tenant = StringProperty(required=True)
    node_id = StringProperty(required=True, db_property="id")
    seq = IntegerProperty(required=True)
    created_at = DateTimeNeo4jFormatProperty()
    occurred_at = DateTimeNeo4jFormatProperty()
    caption = StringProperty()
    content_hash = StringProperty()
    revoked = BooleanProperty()
    parents = IntegerProperty()
    integrity = StringProperty()
    pending = StringProperty()
    erased_at = DateTimeNeo4jFormatProperty()


class User(MapNode):
    """A person, who may hold scopes and rights."""

    scope = ArrayProperty(StringProperty())
    teams = ArrayProperty(StringProperty())
    roles = ArrayProperty(StringProperty())
    standing = StringProperty()
    invalidated_by = RelationshipTo("MapNode", "INVALIDATED_BY", Many, InvalidatedBy)


class Agent(MapNode):
    """A program that reads, writes and acts for a user."""

    scope = ArrayProperty(StringProperty())
    standing = StringProperty()
    authorized_by = RelationshipTo("MapNode", "AUTHORIZED_BY", Many, AuthorizedBy)


class Tool(MapNode):
    """What an action uses, and what an observation may come from."""

    scope = ArrayProperty(StringProperty())
    source_class = StringProperty()
    risk = StringProperty()
    answer = BooleanProperty()
    sends = BooleanProperty()
    audience_from = ArrayProperty(StringProperty())
    evidence = StringProperty()
    authorized_by = RelationshipTo("User", "AUTHORIZED_BY", Many, AuthorizedBy)
    invalidated_by = RelationshipTo("MapNode", "INVALIDATED_BY", Many, InvalidatedBy)
    used_for_action = RelationshipTo("Action", "USED_FOR_ACTION", Many, UsedForAction)


class Resource(MapNode):
    """A document, table or page that an observation comes from."""

    scope = ArrayProperty(StringProperty())
    source_class = StringProperty()
    expires_at = DateTimeNeo4jFormatProperty()
    authorized_by = RelationshipTo("User", "AUTHORIZED_BY", Many, AuthorizedBy)
    invalidated_by = RelationshipTo("MapNode", "INVALIDATED_BY", Many, InvalidatedBy)
    read_by = RelationshipTo("Agent", "READ_BY", Many, ReadBy)
    used_for_action = RelationshipTo("Action", "USED_FOR_ACTION", Many, UsedForAction)


class Message(MapNode):
    """What one agent sent to another."""

    scope = ArrayProperty(StringProperty())
    text = StringProperty()
    metadata = StringProperty()
    expires_at = DateTimeNeo4jFormatProperty()
    observed_from = RelationshipTo("MapNode", "OBSERVED_FROM", Many, ObservedFrom)
    derived_from = RelationshipTo("MapNode", "DERIVED_FROM", Many, DerivedFrom)
    summarized_from = RelationshipTo("MapNode", "SUMMARIZED_FROM", Many, SummarizedFrom)
    forwarded_to = RelationshipTo("Agent", "FORWARDED_TO", Many, ForwardedTo)
    written_by = RelationshipTo("MapNode", "WRITTEN_BY", Many, WrittenBy)
    read_by = RelationshipTo("Agent", "READ_BY", Many, ReadBy)
    invalidated_by = RelationshipTo("MapNode", "INVALIDATED_BY", Many, InvalidatedBy)


class Memory(MapNode):
    """What an agent remembers: an observation, or what it derived or summed up."""

    scope = ArrayProperty(StringProperty())
    text = StringProperty()
    metadata = StringProperty()
    expires_at = DateTimeNeo4jFormatProperty()
    observed_from = RelationshipTo("MapNode", "OBSERVED_FROM", Many, ObservedFrom)
    derived_from = RelationshipTo("MapNode", "DERIVED_FROM", Many, DerivedFrom)
    summarized_from = RelationshipTo("MapNode", "SUMMARIZED_FROM", Many, SummarizedFrom)
    written_by = RelationshipTo("MapNode", "WRITTEN_BY", Many, WrittenBy)
    read_by = RelationshipTo("Agent", "READ_BY", Many, ReadBy)
    verified_by = RelationshipTo("MapNode", "VERIFIED_BY", Many, VerifiedBy)
    invalidated_by = RelationshipTo("MapNode", "INVALIDATED_BY", Many, InvalidatedBy)
    used_for_action = RelationshipTo("Action", "USED_FOR_ACTION", Many, UsedForAction)


class Claim(MapNode):
    """What an agent holds to be so, on the ground of its parents."""

    scope = ArrayProperty(StringProperty())
    text = StringProperty()
    metadata = StringProperty()
    expires_at = DateTimeNeo4jFormatProperty()
    observed_from = RelationshipTo("MapNode", "OBSERVED_FROM", Many, ObservedFrom)
    derived_from = RelationshipTo("MapNode", "DERIVED_FROM", Many, DerivedFrom)
    written_by = RelationshipTo("MapNode", "WRITTEN_BY", Many, WrittenBy)
    read_by = RelationshipTo("Agent", "READ_BY", Many, ReadBy)
    verified_by = RelationshipTo("MapNode", "VERIFIED_BY", Many, VerifiedBy)
    invalidated_by = RelationshipTo("MapNode", "INVALIDATED_BY", Many, InvalidatedBy)
    used_for_action = RelationshipTo("Action", "USED_FOR_ACTION", Many, UsedForAction)


class Action(MapNode):
    """A proposed action with the gate's decision on it."""

    agent = StringProperty()
    task = StringProperty()
    tool = StringProperty()
    outcome = StringProperty()
    rule = StringProperty()
    reason = StringProperty()
    trust = FloatProperty()
    threshold = FloatProperty()
    risk = StringProperty()
    declared_risk = StringProperty()
    unsupported = BooleanProperty()
    policy = StringProperty()
    epoch = IntegerProperty()
    state = StringProperty()
    state_at = DateTimeNeo4jFormatProperty()
    note = StringProperty()
    audience = ArrayProperty(StringProperty())
    tracing = BooleanProperty()
    cited = ArrayProperty(StringProperty())
    obligations = ArrayProperty(StringProperty())
    withheld = IntegerProperty()
    authorized_by = RelationshipTo("User", "AUTHORIZED_BY", Many, AuthorizedBy)
    written_by = RelationshipTo("MapNode", "WRITTEN_BY", Many, WrittenBy)


NODES: dict[str, type[MapNode]] = {
    each.__name__: each for each in (User, Agent, Tool, Resource, Message, Memory, Claim, Action)
}
"""The class of each label."""

EDGES: dict[str, type[Edge]] = {
    "AUTHORIZED_BY": AuthorizedBy,
    "OBSERVED_FROM": ObservedFrom,
    "FORWARDED_TO": ForwardedTo,
    "DERIVED_FROM": DerivedFrom,
    "SUMMARIZED_FROM": SummarizedFrom,
    "WRITTEN_BY": WrittenBy,
    "READ_BY": ReadBy,
    "VERIFIED_BY": VerifiedBy,
    "INVALIDATED_BY": InvalidatedBy,
    "USED_FOR_ACTION": UsedForAction,
}
"""The class of each edge type."""
