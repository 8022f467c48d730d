"""Cases about what comes in and what goes out: names, texts, files, embedders, read paths."""

import inspect
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from bridge import ToyEmbedder

from mapgraph_neo import (
    AgentHandle,
    EmbeddingError,
    InputError,
    MapGraph,
    MapGraphError,
    UnknownNodeError,
)
from mapgraph_neo.policy_tests import TestFileError, read_test

if TYPE_CHECKING:
    from conftest import News

pytestmark = pytest.mark.neo4j

ODD_NAMES = ["a|b", "a#b", "a:b", "a,b", "a'b", 'a"b', "a`b", "a\\b", "a b", "$x", "}) //", "é🚲"]
NO_NAMES = ["", "a\nb", "a\x00b", "a\bb", "a\x1b[31mb", " a", "a\u202eb", "x" * 129, "x" * 10**6]


@pytest.mark.parametrize("name", ODD_NAMES, ids=ascii)
def test_t78_a_name_with_signs_is_kept_as_it_is(news: "News", name: str) -> None:
    whole = news.admin.register_resource(name, scope=["team:press"], source_class="internal")
    desk = news.graph.as_agent("desk", task=name)
    note = desk.observe("From there", source=whole, key=name)

    assert whole == f"res:{name}"
    assert desk.observe("From there", source=whole, key=name) == note
    assert desk.read(whole).id == whole
    assert news.graph.descendants(whole) == (note,)
    (kept,) = (each for each in news.graph.audit(act="register", limit=1))
    assert kept.target == whole
    assert json.loads(json.dumps(kept.target)) == whole


@pytest.mark.parametrize("name", NO_NAMES, ids=lambda name: ascii(name)[:20])
def test_t78_what_is_no_name_is_refused(news: "News", name: str) -> None:
    for refused in (
        lambda: news.admin.register_resource(name),
        lambda: news.graph.as_agent("desk", task=name),
        lambda: news.graph.check("desk", f"mem:{name}"),
        lambda: news.graph.as_agent("desk").remember("x", key=name),
    ):
        with pytest.raises(InputError):
            refused()


FRAGMENTS = [
    "' OR 1=1 //",
    "$tenant",
    "}) DETACH DELETE n //",
    "MATCH (n) RETURN n",
    "`MapNode`",
    "\\u0027",
    "*/ /*",
]


@pytest.mark.parametrize("text", FRAGMENTS)
def test_t79_a_fragment_of_a_query_is_text(news: "News", text: str) -> None:
    desk = news.graph.as_agent("desk", task="t")
    before = set(news.graph.eligible("desk"))
    note = desk.remember(text, metadata={text: text}, scope=["team:press"])
    hits = desk.retrieve(text, k=100)

    assert {hit.id: hit.text for hit in hits}[note] == text
    assert set(news.graph.eligible("desk")) == before | {note}
    (kept,) = news.cypher(
        "MATCH (n:Memory {tenant: $tenant, id: $id}) RETURN n.metadata AS data", id=note
    )
    assert json.loads(kept["data"]) == {text: text}
    said = desk.propose("answer", arguments={"text": text}, evidence=[note])
    assert desk.execute(said.id, run=lambda text: text) == text


READS = {
    "check": lambda agent: agent.check("mem:wire").allowed,
    "read": lambda agent: agent.read("mem:wire"),
    "receive": lambda agent: agent.receive(),
    "retrieve": lambda agent: agent.retrieve("A bridge is closed", k=100).hits,
    "observe": lambda agent: agent.observe("x", source="res:wire"),
    "remember": lambda agent: agent.remember("x", parents=["mem:wire"]),
    "derive": lambda agent: agent.derive("x", parents=["mem:wire"]),
    "summarize": lambda agent: agent.summarize("x", parents=["mem:wire"]),
    "claim": lambda agent: agent.claim("x", parents=["mem:wire"]),
    "send": lambda agent: agent.send("x", to="desk", parents=["mem:wire"]),
    "propose": lambda agent: agent.propose("answer", evidence=["mem:wire"]).allowed,
    "execute": lambda agent: agent.execute("act:not-mine"),
}
"""One look through every method of an agent's handle; another method fails the test below."""


def test_t85_every_method_of_an_agent_is_scoped(news: "News") -> None:
    public = {
        name for name, _ in inspect.getmembers(AgentHandle, callable) if not name.startswith("_")
    }
    assert public == set(READS)

    outsider = news.graph.as_agent("fan", task="t")
    refused: dict[str, MapGraphError] = {}
    answered: dict[str, object] = {}
    for name, look in READS.items():
        try:
            answered[name] = look(outsider)
        except MapGraphError as error:
            refused[name] = error
    assert {name: answer for name, answer in answered.items() if answer} == {}
    assert {type(error) for error in refused.values()} == {UnknownNodeError}
    assert "bridge" not in " ".join(map(str, refused.values()))


def test_t85_what_an_agent_holds_leads_to_no_operator(news: "News") -> None:
    """The host's own methods need the host's object, which no handle gives away by a name."""
    handle = news.graph.as_agent("fan")
    given = {name: getattr(handle, name) for name in dir(handle) if not name.startswith("_")}

    assert not any(isinstance(value, MapGraph) for value in given.values())
    assert {name for name, value in given.items() if not callable(value)} == {"id", "task"}


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_t89_numbers_that_are_none_are_refused(news: "News", number: str, tmp_path: Path) -> None:
    log = tmp_path / "log.ndjson"
    log.write_text(
        '{"event": "remember", "id": "mem:n", "text": "x", "writer": "agent:desk", '
        f'"metadata": {{"a": {number}}}}}\n',
        encoding="utf-8",
    )
    with pytest.raises(InputError, match=r"log\.ndjson:1"):
        news.graph.ingest(log)
    with pytest.raises(InputError):
        news.graph.as_agent("desk").remember("x", metadata={"a": math.nan})
    with pytest.raises(InputError):
        news.graph.as_agent("desk").propose("answer", arguments={"a": math.inf})


def test_t89_a_tag_of_yaml_runs_nothing(tmp_path: Path) -> None:
    file = tmp_path / "test.yaml"
    file.write_text("steps: !!python/object/apply:os.system [echo]\n", encoding="utf-8")

    with pytest.raises(TestFileError, match="tags are refused"):
        read_test(file)


class Odd(ToyEmbedder):
    """Gives a vector of the kind that it is told to give."""

    vector: Any = None

    def embed(self, texts: Any) -> Any:  # noqa: ANN401
        if self.vector is None:
            return super().embed(texts)
        return np.asarray([self.vector] * len(texts), dtype=np.float32)


@pytest.mark.parametrize(
    "vector",
    [[0.0] * 8, [math.nan] * 8, [math.inf] + [0.0] * 7, [1.0] * 7, [1.0] * 9, [], [1e38] * 8],
    ids=["zero", "nan", "infinite", "short", "long", "empty", "huge"],
)
def test_c21_an_odd_vector_is_refused_and_harms_no_other(news: "News", vector: Any) -> None:  # noqa: ANN401
    embedder = Odd()
    graph = MapGraph.connect(
        graph_settings=news.graph._graph._settings,
        driver=news.driver,
        tenant=news.graph.tenant,
        embedder=embedder,
    )
    desk = graph.as_agent("desk", task="t")
    before = news.cypher("MATCH (n {tenant: $tenant}) WHERE n.id STARTS WITH 'mem' RETURN count(n)")
    embedder.vector = vector
    for refused in (
        lambda: desk.remember("Odd"),
        lambda: desk.retrieve("Odd"),
        lambda: graph.ingest(
            [{"event": "remember", "id": "mem:odd", "text": "x", "writer": "agent:desk"}]
        ),
    ):
        with pytest.raises(EmbeddingError):
            refused()
    embedder.vector = None

    after = news.cypher("MATCH (n {tenant: $tenant}) WHERE n.id STARTS WITH 'mem' RETURN count(n)")
    assert after == before
    assert {hit.id for hit in desk.retrieve("A bridge", k=10)} == {"mem:wire", "mem:story"}


def test_c21_short_results_and_counts_that_are_none(news: "News") -> None:
    desk = news.graph.as_agent("desk", task="t")
    hits = desk.retrieve("A bridge is closed", k=10)

    assert len(hits) == 2
    assert all(hit.id.startswith("mem:") and -1.0 <= hit.similarity <= 1.0 for hit in hits)
    for wrong in (0, -1, 1.0, True, None, "3", news.graph.policy.limits.retrieve_k + 1):
        with pytest.raises(InputError):
            desk.retrieve("x", k=wrong)  # type: ignore[arg-type]


class Other(ToyEmbedder):
    """Another model: of another width, or of the same."""

    def __init__(self, identity: str, dimension: int) -> None:
        self.identity = identity
        self.dimension = dimension

    def embed(self, texts: Any) -> Any:  # noqa: ANN401
        return np.ones((len(texts), self.dimension), dtype=np.float32)


@pytest.mark.parametrize(("name", "width"), [("other:8", 8), ("other:12", 12)])
def test_c24_another_model_is_noticed(news: "News", name: str, width: int) -> None:
    graph = MapGraph.connect(
        graph_settings=news.graph._graph._settings,
        driver=news.driver,
        tenant=news.graph.tenant,
        embedder=Other(name, width),
    )
    desk = graph.as_agent("desk", task="t")
    for refused in (lambda: desk.retrieve("x"), lambda: desk.remember("x")):
        with pytest.raises(EmbeddingError) as caught:
            refused()
        assert "toy:8" in str(caught.value)
        assert name in str(caught.value)
    assert graph.check("desk", "mem:wire").allowed  # what needs no vector goes on
    assert news.graph.as_agent("desk").retrieve("x")


ODD_METADATA: list[Any] = [
    {"nested": {"a": [1, "two", None, {"b": []}]}},
    {"mixed": [1, "a", 2.5, None]},
    {"large": 2**63, "larger": 2**200},
    {"empty": {}, "none": None, "": "a blank key"},
    {"emoji": "🚲", "right": "שלום", "null": None},
]


@pytest.mark.parametrize("metadata", ODD_METADATA, ids=lambda each: next(iter(each)))
def test_c53_nested_and_odd_metadata_come_back_equal(news: "News", metadata: Any) -> None:  # noqa: ANN401
    note = news.graph.as_agent("desk").remember("With metadata", metadata=metadata)

    (kept,) = news.cypher(
        "MATCH (n:Memory {tenant: $tenant, id: $id}) RETURN n.metadata AS data", id=note
    )
    assert json.loads(kept["data"]) == metadata


@pytest.mark.parametrize("metadata", [{"b": b"x"}, {"s": {1}}, {"c": 1j}, {"x": "\ud800"}], ids=str)
def test_c53_what_json_has_no_word_for_is_refused(news: "News", metadata: Any) -> None:  # noqa: ANN401
    with pytest.raises(InputError, match=r"metadata|JSON"):
        news.graph.as_agent("desk").remember("x", metadata=metadata)


@pytest.mark.parametrize("size", [1, 8_164, 8_165, 100_000])
def test_c53_texts_of_any_length(news: "News", size: int) -> None:
    desk = news.graph.as_agent("desk", task="t")
    for letter in ("a", "語", "🚲"):
        text = letter * size
        assert desk.read(desk.remember(text)).text == text
    for wrong in ("", "   ", "a\x00b", "\ud800", None, 5):
        with pytest.raises(InputError):
            desk.remember(wrong)  # type: ignore[arg-type]


def test_c52_closed_is_closed_and_a_driver_of_others_stays_open(news: "News") -> None:
    graph = MapGraph.connect(
        graph_settings=news.graph._graph._settings,
        driver=news.driver,
        tenant=news.graph.tenant,
        embedder=ToyEmbedder(),
    )
    agent = graph.as_agent("desk")
    graph.close()
    graph.close()

    for refused in (lambda: graph.check("desk", "mem:wire"), lambda: agent.retrieve("x")):
        with pytest.raises(MapGraphError, match="closed"):
            refused()
    assert news.graph.check("desk", "mem:wire").allowed


def test_c50_a_replayed_session_makes_nothing_new(news: "News") -> None:
    session: list[dict[str, object]] = [
        {"event": "remember", "id": "mem:s1", "text": "One", "writer": "agent:desk", "task": "s"},
        {"event": "read", "id": ["mem:wire"], "agent": "agent:desk", "task": "s"},
        {"event": "remember", "id": "mem:s2", "text": "Two", "writer": "agent:desk", "task": "s"},
        {"event": "message", "id": "msg:s", "text": "Hi", "writer": "agent:desk", "to": "fan"},
    ]
    news.graph.ingest(session)
    count = "MATCH (n:MapNode {tenant: $tenant}) OPTIONAL MATCH (n)-[e]->() RETURN count(e) AS e, "
    before = news.cypher(count + "count(DISTINCT n) AS n")

    again = news.graph.ingest(session)

    assert (again.recorded, again.replayed) == (0, 4)
    assert news.cypher(count + "count(DISTINCT n) AS n") == before
    changed = [{**session[0], "text": "Another"}]
    with pytest.raises(InputError, match="never reused"):
        news.graph.ingest(changed)
