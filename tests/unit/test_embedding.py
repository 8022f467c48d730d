"""Embedders: found by name, and nothing of theirs is used unchecked."""

import json
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint, EntryPoints
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mapgraph_neo import embedding, processors
from mapgraph_neo.embedders.weights import fingerprint
from mapgraph_neo.embedders.windows import windows
from mapgraph_neo.embedding import checked, load_embedder
from mapgraph_neo.errors import EmbeddingError


class Told:
    """Returns what it is told to."""

    repeatable = False

    def __init__(self, answer: object, identity: str = "told:3:0", dimension: int = 3) -> None:
        self.answer = answer
        self.identity = identity
        self.dimension = dimension
        self.asked = 0

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        self.asked += len(texts)
        if isinstance(self.answer, Exception):
            raise self.answer
        return cast("Any", self.answer)

    def split(self, text: str, /) -> list[str]:
        return [text]


# Checked


@pytest.mark.parametrize(
    "answer",
    [
        np.array([[3.0, 0.0, 4.0]], np.float32),
        np.array([[3.0, 0.0, 4.0]], np.float64),
        np.array([[3.0, 0.0, 4.0]], ">f8"),
        np.array([[3.0, 0.0, 4.0]], np.float16),
        np.array([[3.0], [0.0], [4.0]]).T,
        np.zeros((1, 6))[:, ::2] + [[3.0, 0.0, 4.0]],
        [[3.0, 0.0, 4.0]],
        [np.array([3.0, 0.0, 4.0])],
        np.array([[3e5, 0.0, 4e5]]),
    ],
)
def test_what_can_be_used_becomes_unit_vectors(answer: object) -> None:
    found = checked(Told(answer), ["text"])

    assert found.dtype == np.float32
    assert found.flags.c_contiguous
    assert found.flags.writeable
    assert found.tolist() == [[pytest.approx(0.6), 0.0, pytest.approx(0.8)]]


@pytest.mark.parametrize(
    "answer",
    [
        np.zeros((1, 3)),
        np.full((1, 3), np.nan),
        np.array([[1.0, np.inf, 0.0]]),
        np.array([[1.0, -np.inf, 0.0]]),
        np.full((1, 3), 1e38),
        np.full((1, 3), 1e300),
        np.full((1, 3), 1e-40),
        np.ones((1, 2)),
        np.ones((1, 4)),
        np.ones((2, 3)),
        np.ones((0, 3)),
        np.ones(3),
        np.ones((1, 1, 3)),
        np.ones((1, 3), np.int64),
        np.ones((1, 3), np.bool_),
        np.ones((1, 3), np.complex128),
        np.ones((1, 3), object),
        [["a", "b", "c"]],
        [[1.0], [1.0, 2.0]],
        [],
        None,
        "vector",
        7,
        ValueError("broken"),
        RuntimeError("broken"),
    ],
)
def test_what_cannot_be_used_is_refused(answer: object) -> None:
    with pytest.raises(EmbeddingError, match="told:3:0"):
        checked(Told(answer), ["text"])


def test_one_odd_vector_refuses_all() -> None:
    with pytest.raises(EmbeddingError, match="text 1"):
        checked(Told(np.array([[1.0, 0, 0], [0, 0, 0]])), ["a", "b"])


def test_no_texts_are_not_asked_for() -> None:
    told = Told(None)
    assert checked(told, []).shape == (0, 3)
    assert told.asked == 0


def test_vectors_of_repeatable_embedders_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "CACHED_VECTORS", 2)
    monkeypatch.setattr(embedding, "_kept", embedding._Kept())
    told = Told(np.array([[1.0, 0.0, 0.0]]))
    told.repeatable = True
    for text in ("a", "b", "a", "c", "a", "b"):  # b makes room for c
        found = checked(told, [text])
        assert found.tolist() == [[1.0, 0.0, 0.0]]
        found[:] = 0.0  # changes a copy
    assert told.asked == 4
    checked(Told(np.array([[0.0, 1.0, 0.0]])), ["a"])
    checked(told, ["\ud800"])
    assert told.asked == 5


def test_vectors_of_others_are_asked_for_each_time() -> None:
    told = Told(np.array([[1.0, 0.0, 0.0]]))
    checked(told, ["a"])
    told.answer = np.zeros((1, 3))
    with pytest.raises(EmbeddingError):
        checked(told, ["a"])


# Loading


def test_an_object_is_taken_as_it_is() -> None:
    told = Told(None)
    assert load_embedder(told) is told


@pytest.mark.parametrize(
    "embedder",
    [
        object(),
        7,
        Told(None, identity=""),
        Told(None, identity=cast("str", None)),
        Told(None, dimension=0),
        Told(None, dimension=cast("int", 3.0)),
        Told(None, dimension=True),
    ],
)
def test_what_is_no_embedder_is_refused(embedder: Any) -> None:  # noqa: ANN401
    with pytest.raises(EmbeddingError):
        load_embedder(embedder)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(EmbeddingError, match=r"no embedder `nope`; there are .*lite.*st"):
        load_embedder("nope")


def offer(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    point = EntryPoint("mine", value, embedding.ENTRY_POINTS)
    offered = EntryPoints([point])
    monkeypatch.setattr(embedding, "entry_points", offered.select)


def make() -> Told:
    return Told(None, identity="mine")


def refuse() -> Told:
    message = "no model"
    raise EmbeddingError(message)


def test_embedders_of_other_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "offered", sys.modules[__name__])
    offer(monkeypatch, "offered:make")
    assert load_embedder("mine").identity == "mine"
    offer(monkeypatch, "offered:refuse")
    with pytest.raises(EmbeddingError, match="no model"):
        load_embedder("mine")
    offer(monkeypatch, "offered:missing")
    with pytest.raises(EmbeddingError, match="cannot be loaded"):
        load_embedder("mine")


@pytest.mark.parametrize(
    ("name", "package"), [("st", "sentence_transformers"), ("lite", "wordllama")]
)
def test_a_missing_extra_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setenv("MAPGRAPH_ST_MODEL", str(tmp_path))
    with pytest.raises(EmbeddingError, match=rf'pip install "mapgraph-neo\[{name}\]"'):
        load_embedder(name)


def test_a_model_folder_that_is_not_there_names_the_setting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MAPGRAPH_ST_MODEL", "/nowhere/model")
    with pytest.raises(EmbeddingError, match="MAPGRAPH_ST_MODEL: there is no folder"):
        load_embedder("st")
    monkeypatch.delenv("MAPGRAPH_ST_MODEL")
    monkeypatch.setattr("mapgraph_neo.embedders.st.find_spec", lambda _: None)
    with pytest.raises(EmbeddingError, match="MAPGRAPH_ST_MODEL"):
        load_embedder("st")


def test_nothing_heavy_is_imported_before_it_is_asked_for() -> None:
    code = (
        "import sys, mapgraph_neo.embedding, mapgraph_neo.embedders.st,"
        "mapgraph_neo.embedders.lite, mapgraph_neo.sidecar;"
        "print(sorted({'torch', 'faiss', 'wordllama', 'transformers'} & set(sys.modules)))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert found.stdout.strip() == "[]"


# Windows


class Letters:
    """Each letter that is no space is a token."""

    def __init__(self, text: str = "") -> None:
        self.offsets = [(at, at + 1) for at, letter in enumerate(text) if letter != " "]

    def encode(self, sequence: str, *, add_special_tokens: bool) -> "Letters":
        assert not add_special_tokens
        return Letters(sequence)


@given(st.lists(st.integers(0, 2), max_size=60), st.integers(2, 9), st.data())
def test_windows_hold_all_of_a_text_and_overlap(
    gaps: list[int], size: int, data: st.DataObject
) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    letters = "".join(chr(0x4E00 + at) for at in range(len(gaps)))
    text = "".join(letter + " " * gap for letter, gap in zip(letters, gaps, strict=True))
    found = windows(Letters(), text, size=size, overlap=overlap)

    if len(letters) <= size:
        assert found == [text]
        return
    assert all(each in text for each in found)
    assert text.startswith(found[0])
    assert text.endswith(found[-1])
    bare = [each.replace(" ", "") for each in found]
    assert {len(each) for each in bare} == {size}
    for first, second in pairwise(bare):
        shared = letters.index(first[-1]) - letters.index(second[0]) + 1
        assert shared == overlap or (second == bare[-1] and shared > overlap)


# Weights


def write_weights(path: Path, tensors: dict[str, tuple[str, bytes]], metadata: str = "") -> None:
    header: dict[str, object] = {"__metadata__": {"format": metadata}}
    data = b""
    for name, (kind, content) in tensors.items():
        ends = [len(data), len(data) + len(content)]
        header[name] = {"dtype": kind, "shape": [len(content) // 4], "data_offsets": ends}
        data += content
    text = json.dumps(header).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def test_the_fingerprint_is_of_the_numbers(tmp_path: Path) -> None:
    one, two = ("F32", b"1234" * 9), ("F32", b"5678")
    write_weights(tmp_path / "a" / "model.safetensors", {"one": one, "two": two})
    same = fingerprint(tmp_path / "a")
    write_weights(
        tmp_path / "b" / "model.safetensors",
        {"two": two, "positions": ("I64", b"12345678"), "one": one},
        metadata="saved again",
    )
    assert fingerprint(tmp_path / "b") == same
    write_weights(tmp_path / "c" / "1.safetensors", {"two": two})
    write_weights(tmp_path / "c" / "2.safetensors", {"one": one})
    assert fingerprint(tmp_path / "c") == same
    for number, other in enumerate(
        [{"one": two, "two": one}, {"one": one}, {"one": one, "3": two}]
    ):
        write_weights(tmp_path / str(number) / "model.safetensors", other)
        assert fingerprint(tmp_path / str(number)) != same


def test_a_folder_without_weights_or_with_broken_ones(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        fingerprint(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"\xff" * 20)
    with pytest.raises(ValueError, match="no safetensors file"):
        fingerprint(tmp_path)
    write_weights(tmp_path / "model.safetensors", {"one": ("F32", b"1234" * 9)})
    content = (tmp_path / "model.safetensors").read_bytes()
    (tmp_path / "model.safetensors").write_bytes(content[:-4])
    with pytest.raises(ValueError, match="cut"):
        fingerprint(tmp_path)


# Processors


@pytest.mark.parametrize(
    ("quota", "right"), [("50000 100000", 1), ("max 100000", None), ("", None), ("1 0", None)]
)
def test_a_container_gets_what_it_was_granted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, quota: str, right: int | None
) -> None:
    (tmp_path / "cpu.max").write_text(quota)
    monkeypatch.setattr(processors, "CGROUP_QUOTA", tmp_path / "none")
    unlimited = processors.available_processors()
    monkeypatch.setattr(processors, "CGROUP_QUOTA", tmp_path / "cpu.max")
    assert processors.available_processors() == (right or unlimited)
