"""The embedding cache: computes once, survives what happens to files, and never answers wrongly."""

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import sim.embed.store
from sim.embed.cache import CachedEmbedder
from sim.embed.protocol import Vectors
from sim.embed.static import wordllama
from sim.embed.store import VectorStore, file_name
from sim.embed.texts import unit_rows
from sim.errors import ConfigError, EmbedderError

ROOT = Path(sim.embed.store.__file__).parents[2]


class DigestEmbedder:
    """A small real embedder: bytes of a digest as numbers; remembers what it was asked."""

    def __init__(self, fingerprint: str = "digest@1", dimension: int = 8) -> None:
        self.fingerprint = fingerprint
        self.dimension = dimension
        self.calls: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.calls.append(list(texts))
        rows = [self._row(text) for text in texts]
        return unit_rows(np.array(rows, dtype=np.float64).reshape(len(texts), self.dimension))

    def _row(self, text: str) -> list[int]:
        if not text.strip():
            return [0] * self.dimension
        return list(sha256(text.encode("utf-8", "surrogatepass")).digest()[: self.dimension])


def database(folder: Path, fingerprint: str = "digest@1") -> Path:
    return folder / file_name(fingerprint)


def test_rows_are_those_of_the_embedder_bit_by_bit(tmp_path: Path) -> None:
    texts = ["ramen", "", "no egg", "\ud800", "a\x00b", "ramen", "x" * 100_000]
    cached = CachedEmbedder(DigestEmbedder(), tmp_path)
    expected = DigestEmbedder().embed(texts)
    for _ in range(2):
        rows = cached.embed(texts)
        assert rows.dtype == np.float32
        assert rows.tobytes() == expected.tobytes()


def test_misses_go_in_one_call_each_text_once(tmp_path: Path) -> None:
    inner = DigestEmbedder()
    cached = CachedEmbedder(inner, tmp_path)
    cached.embed(["a", "b", "a", "c"])
    cached.embed(["c", "d", "a", "e"])
    assert inner.calls == [["a", "b", "c"], ["d", "e"]]
    assert (cached.hits, cached.misses) == (3, 5)


def test_nothing_asked_is_nothing_embedded(tmp_path: Path) -> None:
    inner = DigestEmbedder()
    assert CachedEmbedder(inner, tmp_path).embed([]).shape == (0, 8)
    assert inner.calls == []


def test_a_second_process_of_the_same_embedder_finds_the_rows(tmp_path: Path) -> None:
    first = CachedEmbedder(DigestEmbedder(), tmp_path)
    rows = first.embed(["a", "b"])
    first.close()
    inner = DigestEmbedder()
    second = CachedEmbedder(inner, tmp_path)
    assert second.embed(["b", "a"]).tobytes() == rows[::-1].tobytes()
    assert inner.calls == []


def test_more_texts_than_one_question_holds(tmp_path: Path) -> None:
    texts = [f"text {number}" for number in range(1234)]
    CachedEmbedder(DigestEmbedder(), tmp_path).embed(texts)
    inner = DigestEmbedder()
    rows = CachedEmbedder(inner, tmp_path, keep=0).embed(texts)
    assert inner.calls == []
    assert rows.tobytes() == DigestEmbedder().embed(texts).tobytes()


@pytest.mark.parametrize("keep", [0, 1, 3])
def test_memory_is_bounded_and_the_disk_answers_the_rest(tmp_path: Path, keep: int) -> None:
    inner = DigestEmbedder()
    cached = CachedEmbedder(inner, tmp_path, keep=keep)
    cached.embed(list("abcdef"))
    assert len(cached._recent) == keep
    cached.embed(list("fedcba"))
    assert len(inner.calls) == 1


def test_what_was_used_last_stays_in_memory(tmp_path: Path) -> None:
    cached = CachedEmbedder(DigestEmbedder(), tmp_path, keep=2)
    for text in ("a", "b", "a", "c"):
        cached.embed([text])
    assert set(cached._recent) == {cached._key("a"), cached._key("c")}


def test_what_is_in_memory_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cached = CachedEmbedder(DigestEmbedder(), tmp_path)
    cached.embed(["a", "b"])
    asked: list[bytes] = []
    read = cached._store.read

    def noted(keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        asked.extend(keys)
        return read(keys)

    monkeypatch.setattr(cached._store, "read", noted)
    cached.embed(["a", "c", "b"])
    assert asked == [cached._key("c")]


def test_a_changed_result_does_not_change_the_cache(tmp_path: Path) -> None:
    cached = CachedEmbedder(DigestEmbedder(), tmp_path)
    cached.embed(["a"])[:] = 9
    cached.embed(["a"])[:] = 9
    assert cached.embed(["a"]).tobytes() == DigestEmbedder().embed(["a"]).tobytes()


def test_embedders_share_a_folder_without_sharing_rows(tmp_path: Path) -> None:
    small, large = DigestEmbedder("one", 4), DigestEmbedder("two", 8)
    assert CachedEmbedder(small, tmp_path).embed(["a"]).shape == (1, 4)
    assert CachedEmbedder(large, tmp_path).embed(["a"]).shape == (1, 8)
    assert len(list(tmp_path.glob("*.sqlite"))) == 2


def test_fingerprints_that_read_alike_have_their_own_files() -> None:
    assert file_name("org/model@1") != file_name("org_model@1")
    assert "/" not in file_name("../org/model@1")


def test_another_dimension_under_the_same_fingerprint_is_refused(tmp_path: Path) -> None:
    CachedEmbedder(DigestEmbedder(dimension=8), tmp_path).embed(["a"])
    with pytest.raises(EmbedderError, match=r"dimension 8, not 4.*delete it") as caught:
        CachedEmbedder(DigestEmbedder(dimension=4), tmp_path)
    assert str(database(tmp_path)) in str(caught.value)


def test_a_database_renamed_for_another_embedder_is_refused(tmp_path: Path) -> None:
    CachedEmbedder(DigestEmbedder("one"), tmp_path).close()
    database(tmp_path, "one").rename(database(tmp_path, "two"))
    with pytest.raises(EmbedderError, match="has fingerprint one, not two"):
        CachedEmbedder(DigestEmbedder("two"), tmp_path)


@pytest.mark.parametrize(
    "content", [b"no database at all, but long enough to be looked at" * 40, b"SQLite format 3\0" * 100]
)
def test_a_file_that_is_no_database_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    database(tmp_path).write_bytes(content)
    with pytest.raises(EmbedderError, match=r"is damaged.*delete it") as caught:
        CachedEmbedder(DigestEmbedder(), tmp_path)
    assert str(database(tmp_path)) in str(caught.value)


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(database(tmp_path)) as other:
        other.execute("create table vectors (something text)")
    cached = CachedEmbedder(DigestEmbedder(), tmp_path)
    with pytest.raises(EmbedderError, match="is damaged"):
        cached.embed(["a"])


def filled(folder: Path, count: int = 400) -> list[str]:
    texts = [f"text {number}" for number in range(count)]
    cached = CachedEmbedder(DigestEmbedder(dimension=32), folder)
    cached.embed(texts)
    cached.close()
    return texts


@pytest.mark.parametrize("place", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_overwritten_pages_give_an_error_or_the_right_rows_but_never_wrong_ones(
    tmp_path: Path, place: float
) -> None:
    texts = filled(tmp_path)
    path = database(tmp_path)
    content = bytearray(path.read_bytes())
    start = int(len(content) * place)
    content[start : start + 3000] = bytes(3000)
    path.write_bytes(content)
    try:
        rows = CachedEmbedder(DigestEmbedder(dimension=32), tmp_path).embed(texts)
    except EmbedderError as error:
        assert str(path) in str(error)  # noqa: PT017 either end is right
    else:
        assert rows.tobytes() == DigestEmbedder(dimension=32).embed(texts).tobytes()


def test_one_changed_bit_in_a_row_is_noticed(tmp_path: Path) -> None:
    texts = filled(tmp_path)
    path = database(tmp_path)
    row = DigestEmbedder(dimension=32).embed([texts[7]])[0].astype("<f4").tobytes()
    content = bytearray(path.read_bytes())
    content[content.index(row) + 5] ^= 1
    path.write_bytes(content)
    with pytest.raises(EmbedderError, match="a row fails its check"):
        CachedEmbedder(DigestEmbedder(dimension=32), tmp_path).embed(texts)


def test_a_folder_that_cannot_be_made_names_the_key(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match=r"embedder\.cache: .*file.* cannot be used"):
        CachedEmbedder(DigestEmbedder(), tmp_path / "file" / "folder")


def test_a_lock_held_too_long_is_told_apart_from_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sim.embed.store, "_BUSY_S", 0.05)
    cached = CachedEmbedder(DigestEmbedder(), tmp_path)
    holder = sqlite3.connect(database(tmp_path), isolation_level=None)
    holder.execute("begin immediate")
    with pytest.raises(EmbedderError, match=r"cannot be used now.*locked"):
        cached.embed(["a"])
    holder.execute("rollback")
    assert cached.embed(["a"]).tobytes() == DigestEmbedder().embed(["a"]).tobytes()


def test_a_failed_computation_leaves_nothing_behind(tmp_path: Path) -> None:
    class Failing(DigestEmbedder):
        def embed(self, texts: Sequence[str]) -> Vectors:
            raise EmbedderError("no")

    with pytest.raises(EmbedderError, match="no"):
        CachedEmbedder(Failing(), tmp_path).embed(["a"])
    inner = DigestEmbedder()
    CachedEmbedder(inner, tmp_path).embed(["a"])
    assert inner.calls == [["a"]]


def test_threads_may_share_one_cache(tmp_path: Path) -> None:
    cached = CachedEmbedder(DigestEmbedder(), tmp_path, keep=5)
    groups = [[f"text {(start + step) % 40}" for step in range(10)] for start in range(60)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(cached.embed, groups))
    for group, rows in zip(groups, answers, strict=True):
        assert rows.tobytes() == DigestEmbedder().embed(group).tobytes()
    assert cached.misses == 40


_WRITER = """
import sys
from itertools import count
from sim.embed.cache import CachedEmbedder
from sim.embed.static import wordllama
cached = CachedEmbedder(wordllama(), sys.argv[1], keep=8)
for round_ in range(int(sys.argv[2])) if sys.argv[2] != "forever" else count():
    mark = round_ if sys.argv[2] == "forever" else ""
    cached.embed([f"order {(round_ * 7 + step) % 500} of ramen {mark}" for step in range(5)])
    if round_ == 20:
        print("writing", flush=True)
"""


def writer(folder: Path, rounds: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", _WRITER, str(folder), rounds]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_processes_that_start_and_write_together_disturb_nothing(tmp_path: Path) -> None:
    running = [writer(tmp_path, "120") for _ in range(4)]
    for process in running:
        _, errors = process.communicate()
        assert process.returncode == 0, errors
    texts = [f"order {number} of ramen " for number in range(500)]
    assert CachedEmbedder(wordllama(), tmp_path).embed(texts).tobytes() == wordllama().embed(texts).tobytes()


def test_a_killed_writer_leaves_a_sound_database(tmp_path: Path) -> None:
    process = writer(tmp_path, "forever")
    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    store = next(tmp_path.glob("*.sqlite"))
    with sqlite3.connect(store) as opened:
        assert opened.execute("pragma integrity_check").fetchone() == ("ok",)
        assert opened.execute("select count(*) from vectors").fetchone()[0] >= 100
    cached = CachedEmbedder(wordllama(), tmp_path)
    texts = [f"order {number} of ramen 3" for number in range(21, 26)]
    assert cached.embed(texts).tobytes() == wordllama().embed(texts).tobytes()
    assert cached.misses == 0


def test_a_key_that_is_there_keeps_its_row(tmp_path: Path) -> None:
    store = VectorStore(tmp_path, "x", 2)
    store.write({b"k": np.array([1, 0], dtype=np.float32)})
    store.write({b"k": np.array([0, 1], dtype=np.float32)})
    assert store.read([b"k", b"absent"])[b"k"].tolist() == [1, 0]


def test_a_negative_bound_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="keep"):
        CachedEmbedder(DigestEmbedder(), tmp_path, keep=-1)
