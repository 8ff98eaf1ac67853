"""The default embedder: WordLlama's static word vectors, offline and without torch.

The two packaged files are read directly. WordLlama's own loader looks in the wrong folder and
then tries to download, its import sets up the root logger, and its batches pad.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.embed.files import package_folder, verified
from sim.embed.protocol import Embedder, Vectors
from sim.embed.texts import clean, spoken, unit_rows, with_zero_rows
from sim.errors import ConfigError

_WEIGHTS = (
    "weights/l2_supercat_256.safetensors",
    "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
)
_TOKENIZER = (
    "tokenizers/l2_supercat_tokenizer_config.json",
    "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
)
_BATCH_TEXTS = 256


class WordLlamaEmbedder:
    """Mean of the static vectors of a text's tokens, scaled to length 1.

    Source: https://github.com/dleemiller/WordLlama (average pooling).

    Args:
        weights: shape (vocabulary, dimension), float16.
        tokenizer: a ``tokenizers.Tokenizer``.
        fingerprint: names the two files.
    """

    def __init__(self, weights: NDArray[np.float16], tokenizer: Any, fingerprint: str) -> None:
        self.fingerprint = fingerprint
        self.dimension: int = weights.shape[1]
        self._weights = weights.astype(np.float32)  # sums twice as fast
        self._tokenizer = tokenizer
        tokenizer.no_padding()
        tokenizer.no_truncation()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embeds texts; see `sim.embed.protocol.Embedder`."""
        places = spoken(texts)
        sums = np.zeros((len(places), self.dimension))
        for start in range(0, len(places), _BATCH_TEXTS):
            batch = [clean(texts[place]) for place in places[start : start + _BATCH_TEXTS]]
            sums[start : start + len(batch)] = self._sums(batch)
        return with_zero_rows(len(texts), places, unit_rows(sums), self.dimension)

    def _sums(self, texts: list[str]) -> NDArray[np.float64]:
        # A float64 sum of what were float16 numbers is exact, so neither order nor neighbours change a bit;
        # the mean and the sum have the same direction, so nothing is divided.
        encoded = self._tokenizer.encode_batch(texts, add_special_tokens=False)
        return np.stack([self._sum(one.ids) for one in encoded])

    def _sum(self, ids: list[int]) -> NDArray[np.float64]:
        total: NDArray[np.float64] = self._weights.take(ids, axis=0).sum(axis=0, dtype=np.float64)
        return total


def wordllama(model: str | None = None, device: str | None = None) -> Embedder:
    """Builds the default embedder from the files in the ``wordllama`` package.

    Args:
        model: must be None; this embedder carries its own weights.
        device: ignored; static vectors need no device, and sweeps may set one for the others.

    Raises:
        ConfigError: a model is named.
        EmbedderError: the package is absent, or its files are not the known ones.
    """
    if model is not None:
        raise ConfigError(
            f"embedder.model: wordllama carries its own weights, not {model!r}; "
            "leave it null or set embedder=sentence_transformers"
        )
    folder = package_folder("wordllama", "wordllama")
    weights = verified(folder / _WEIGHTS[0], _WEIGHTS[1])
    words = verified(folder / _TOKENIZER[0], _TOKENIZER[1])
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    fingerprint = f"wordllama-256@{_WEIGHTS[1][:12]}+{_TOKENIZER[1][:12]}"
    return WordLlamaEmbedder(
        load_file(weights)["embedding.weight"], Tokenizer.from_file(str(words)), fingerprint
    )
