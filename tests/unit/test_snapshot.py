"""Snapshots: all or nothing, private, of one owner; anything else is refused with a reason."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from made_entries import ALICE, DIMENSION, eligible, filled, random_units, ranked, row, unit

from mapgraph_neo import private_files, sidecar_snapshot
from mapgraph_neo.errors import SidecarError
from mapgraph_neo.sidecar import Sidecar
from mapgraph_neo.sidecar_snapshot import (
    LOCK,
    MANIFEST,
    Loaded,
    Owner,
    Snapshots,
    discard,
    load,
    save,
)

OWNER = Owner(tenant="acme", database="db-1", identity="model", dimension=DIMENSION)
KEY = b"the tenant's key"
POSIX = pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return place(tmp_path / "base").folder(OWNER)


def place(base: Path, owner: Owner = OWNER) -> Snapshots:
    return Snapshots(base=base, tenant=owner.tenant, database=owner.database)


def sample(epoch: int = 5) -> Sidecar:
    vectors = random_units(40)
    rows = [
        row(seq, *vectors[seq : seq + seq % 3], access_class=seq % 4, epoch=epoch, trust=seq / 40)
        for seq in range(1, 39)
    ]
    sidecar = filled(rows)
    sidecar.apply([row(90, unit(1), live=False), row(91, unit(1), expires_ms=7)], {}, epoch)
    sidecar.forget([5])
    return sidecar


def reload(folder: Path, owner: Owner = OWNER) -> Loaded:
    return load(folder, owner, key=KEY)


def files(folder: Path, part: str = "") -> list[Path]:
    return sorted(path for path in folder.iterdir() if part in path.name)


def test_what_is_saved_comes_back(folder: Path) -> None:
    before = sample()
    assert save(folder, OWNER, before, key=KEY)
    after = reload(folder).sidecar

    assert after is not None
    assert (after.epoch, len(after)) == (5, len(before))
    both = ALICE | {"team:b"}
    for principals in (ALICE, both, frozenset({"agent:x"})):
        assert ranked(after, unit(1), principals=principals) == ranked(
            before, unit(1), principals=principals
        )
    seqs = list(range(100))
    assert after.missing(seqs) == before.missing(seqs)
    after.apply([row(5, unit(1), epoch=9), row(1, epoch=4, live=False)], {}, 9)
    assert eligible(after, both).seqs().tolist() == eligible(before, both).seqs().tolist()


def test_whole_blocks_and_the_rest_come_back(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("sidecar_vectors", "sidecar_store"):
        monkeypatch.setattr(f"mapgraph_neo.{module}.BLOCK", 16)
    monkeypatch.setattr("mapgraph_neo.sidecar_vectors.SHIFT", 4)
    before = filled([row(seq, vector) for seq, vector in enumerate(random_units(40))])
    save(folder, OWNER, before)
    assert len(files(folder, "vectors")) == 3
    after = load(folder, OWNER).sidecar

    assert after is not None
    after.apply([row(99, unit(1))], {}, 1)
    before.apply([row(99, unit(1))], {}, 1)
    assert ranked(after, unit(1)) == ranked(before, unit(1))


def test_an_empty_sidecar_comes_back(folder: Path) -> None:
    save(folder, OWNER, Sidecar("model", DIMENSION), key=KEY)
    found = reload(folder).sidecar
    assert found is not None
    assert (len(found), found.epoch) == (0, -1)


def test_saving_again_replaces_all_files(folder: Path) -> None:
    save(folder, OWNER, sample(), key=KEY)
    first = set(files(folder))
    save(folder, OWNER, sample(epoch=8), key=KEY)

    assert set(files(folder)) & first == {folder / LOCK, folder / MANIFEST}
    assert len(files(folder)) == len(first)
    found = reload(folder).sidecar
    assert found is not None
    assert found.epoch == 8


@POSIX
def test_everything_is_private(folder: Path) -> None:
    before = os.umask(0)
    try:
        save(folder, OWNER, sample(), key=KEY)
    finally:
        os.umask(before)

    assert folder.stat().st_mode & 0o777 == 0o700
    assert folder.parent.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in files(folder)} == {0o600}


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-7])


def lengthen(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\0" * 8)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def delete(path: Path) -> None:
    path.unlink()


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-9] ^= 1
    path.write_bytes(content)


def pickle(path: Path) -> None:
    with path.open("wb") as file:
        np.save(file, np.array([{"a": 1}], object), allow_pickle=True)


def garbage(path: Path) -> None:
    path.write_bytes(b"\x93NUMPY\x01\x00" + b"[" * 5000)


@pytest.mark.parametrize("part", ["classes", "entries", "vectors", MANIFEST])
@pytest.mark.parametrize("harm", [cut, lengthen, empty, delete, flip, pickle, garbage])
def test_a_damaged_file_is_refused_and_heals_by_saving(
    folder: Path, part: str, harm: Callable[[Path], None]
) -> None:
    save(folder, OWNER, sample(), key=KEY)
    harm(files(folder, part)[0])
    found = reload(folder)

    assert found.sidecar is None
    assert found.reason
    assert save(folder, OWNER, sample(), key=KEY)
    assert reload(folder).sidecar is not None


@pytest.mark.parametrize("part", ["classes", "entries", "vectors"])
def test_an_older_copy_of_one_file_is_refused(folder: Path, part: str) -> None:
    save(folder, OWNER, sample(), key=KEY)
    older = files(folder, part)[0].read_bytes()
    changed = sample(epoch=8)
    changed.apply([row(200, unit(0, 1))], {50: []}, 8)
    save(folder, OWNER, changed, key=KEY)
    files(folder, part)[0].write_bytes(older)

    assert reload(folder).sidecar is None


@pytest.mark.parametrize(
    "owner",
    [
        Owner(tenant="other", database="db-1", identity="model", dimension=DIMENSION),
        Owner(tenant="acme", database="db-2", identity="model", dimension=DIMENSION),
        Owner(tenant="acme", database="db-1", identity="model-2", dimension=DIMENSION),
        Owner(tenant="acme", database="db-1", identity="model", dimension=DIMENSION + 1),
    ],
)
def test_the_snapshot_of_another_owner_is_refused(folder: Path, owner: Owner) -> None:
    save(folder, OWNER, sample(), key=KEY)

    assert "not `" in reload(folder, owner).reason
    assert place(folder.parents[1], owner).folder(owner) != folder


def test_a_manifest_of_another_key_or_edited_is_refused(folder: Path) -> None:
    save(folder, OWNER, sample(), key=KEY)
    assert "altered" in load(folder, OWNER, key=b"another").reason
    manifest = json.loads((folder / MANIFEST).read_bytes())
    (folder / MANIFEST).write_text(json.dumps({**manifest, "epoch": 99}))

    assert "altered" in reload(folder).reason


def test_another_format_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sidecar_snapshot, "FORMAT", 0)
    save(folder, OWNER, sample(), key=KEY)
    monkeypatch.undo()
    assert "format" in reload(folder).reason


@pytest.mark.parametrize(
    "changes",
    [
        {"files": {}},
        {"files": 7},
        {"epoch": "9"},
        {"epoch": None},
    ],
)
def test_a_sealed_but_malformed_manifest_is_refused(
    folder: Path, changes: dict[str, object]
) -> None:
    save(folder, OWNER, sample(), key=KEY)
    manifest = {**json.loads((folder / MANIFEST).read_bytes()), **changes}
    del manifest["seal"]
    manifest["seal"] = sidecar_snapshot._seal(manifest, KEY)
    (folder / MANIFEST).write_text(json.dumps(manifest))

    assert reload(folder).sidecar is None


def test_files_outside_the_folder_are_not_read(folder: Path) -> None:
    save(folder, OWNER, sample(), key=KEY)
    manifest = json.loads((folder / MANIFEST).read_bytes())
    for path in files(folder, "-"):
        path.rename(folder.parent / path.name)
    manifest["files"] = {f"../{name}": digest for name, digest in manifest["files"].items()}
    del manifest["seal"]
    manifest["seal"] = sidecar_snapshot._seal(manifest, KEY)
    (folder / MANIFEST).write_text(json.dumps(manifest))

    assert "malformed" in reload(folder).reason


@pytest.mark.parametrize("content", [b"[]", b"7", b'"x"', b"null", b"{}", b"[" * 100_000, b"\xff"])
def test_a_manifest_that_is_none_is_refused(folder: Path, content: bytes) -> None:
    save(folder, OWNER, sample(), key=KEY)
    (folder / MANIFEST).write_bytes(content)
    assert reload(folder).sidecar is None


def test_a_snapshot_later_than_the_graph_is_refused(folder: Path) -> None:
    save(folder, OWNER, sample(epoch=5), key=KEY)

    assert "restored" in load(folder, OWNER, key=KEY, newest=4).reason
    assert load(folder, OWNER, key=KEY, newest=5).sidecar is not None


@POSIX
def test_files_that_others_may_touch_are_refused(folder: Path, tmp_path: Path) -> None:
    save(folder, OWNER, sample(), key=KEY)
    entries = files(folder, "entries")[0]
    entries.chmod(0o640)
    assert "private" in reload(folder).reason
    entries.chmod(0o600)
    folder.chmod(0o750)
    assert "private" in reload(folder).reason
    folder.chmod(0o700)
    elsewhere = tmp_path / "elsewhere"
    entries.rename(elsewhere)
    entries.symlink_to(elsewhere)
    assert reload(folder).sidecar is None


def test_no_snapshot(folder: Path) -> None:
    assert reload(folder) == Loaded(sidecar=None, reason="there is no snapshot")
    discard(folder)


def test_discarded_means_gone(folder: Path) -> None:
    save(folder, OWNER, sample(), key=KEY)
    discard(folder)

    assert files(folder) == [folder / LOCK]
    assert reload(folder).sidecar is None


def test_a_full_disk_leaves_the_snapshot_before(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(folder, OWNER, sample(), key=KEY)
    before = files(folder)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for name in ("_write_json", "_write_array", "replace_durably"):
        monkeypatch.setattr(sidecar_snapshot, name, full)
        with pytest.raises(SidecarError, match="No space left"):
            save(folder, OWNER, sample(epoch=9), key=KEY)
        monkeypatch.undo()
        assert files(folder) == before
        assert reload(folder).sidecar is not None


def test_one_writer_at_a_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(folder, OWNER, sample(), key=KEY)
    monkeypatch.setattr(sidecar_snapshot, "LOAD_WAIT_SECONDS", 0.1)
    with private_files.locked(folder / LOCK, 0.0) as held:
        assert held
        assert not save(folder, OWNER, sample(epoch=9), key=KEY)
        assert "another process" in reload(folder).reason
        with pytest.raises(SidecarError, match="another process"):
            discard(folder)
    assert save(folder, OWNER, sample(), key=KEY)


def test_a_sidecar_of_another_model_is_not_saved(folder: Path) -> None:
    with pytest.raises(SidecarError, match="model-2"):
        save(folder, OWNER, Sidecar("model-2", DIMENSION), key=KEY)
    assert not folder.exists()


SAVE_FOR_EVER = """
import sys
from pathlib import Path
from mapgraph_neo.sidecar_snapshot import Owner, save
from mapgraph_neo.sidecar import EntryRow, Sidecar
import numpy as np
sidecar = Sidecar("model", 8)
owner = Owner(tenant="acme", database="db-1", identity="model", dimension=8)
rows = [EntryRow(seq, 1, 3, None, 1.0, 1.0, True, np.eye(8, dtype="<f4")[seq % 8].tobytes(), 1)
        for seq in range(500)]
sidecar.apply(rows, {3: []}, 1)
print("ready", flush=True)
while True:
    save(Path(sys.argv[1]), owner, sidecar, key=b"the tenant's key")
"""


def test_killed_while_saving(folder: Path) -> None:
    for delay in range(4):
        saver = subprocess.Popen(
            [sys.executable, "-c", SAVE_FOR_EVER, str(folder)],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        with saver:
            assert saver.stdout is not None
            saver.stdout.readline()
            with pytest.raises(subprocess.TimeoutExpired):
                saver.wait(0.01 + 0.017 * delay)
            saver.kill()
        found = reload(folder)
        assert found.reason in {"loaded", "there is no snapshot"}
        if found.sidecar is not None:
            assert ranked(found.sidecar, unit(1))[0].seq == 0
    assert save(folder, OWNER, sample(), key=KEY)
    assert len(files(folder)) == 5
