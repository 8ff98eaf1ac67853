"""What torch and transformers do: weights and tokenizer from local files, and answers for a batch."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from threading import Lock
from typing import Any

from sim.errors import ConfigError, ModelError, Overloaded
from sim.llm.ladder.schema import one_line
from sim.llm.protocol import Request
from sim.llm.sampling import Sampling
from sim.llm.served.profiles import messages

INSTALL = "run pip install torch first (a CPU build where there is no GPU), then transformers"


@dataclass(frozen=True, kw_only=True, slots=True)
class Prompt:
    """One row of a batch.

    Args:
        text: the prompt, chat template included.
        temperature: 0 takes the likeliest token; equal within a batch.
        max_tokens: limit of this row's answer.
        given_up: says that nobody waits for it any more; asked after every token.
    """

    text: str
    temperature: float
    max_tokens: int
    given_up: Callable[[], bool] = lambda: False


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """What the model said to one prompt, ``finish`` as in `sim.llm.protocol.Reply`."""

    text: str
    finish: str
    prompt_tokens: int
    completion_tokens: int


class Engine:
    """A causal language model with its tokenizer, on one device; nothing in it is asynchronous.

    Args:
        model: a transformers model that generates.
        tokenizer: its tokenizer, with a chat template.
        sampling: how it draws its words.
        thinking: lets the model think, where its template knows how.
    """

    def __init__(self, model: Any, tokenizer: Any, sampling: Sampling, *, thinking: bool) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._sampling = sampling
        self._thinking = thinking
        # A fast tokenizer used by two threads at once fails with "Already borrowed".
        self._lock = Lock()

    @property
    def window_tokens(self) -> int | None:
        """The longest text the model's files promise, None where they do not say."""
        length = getattr(self._model.config.get_text_config(), "max_position_embeddings", None)
        return length if isinstance(length, int) and length > 0 else None

    @property
    def version(self) -> str:
        """Library, device and number format, for the manifest."""
        library = import_module("transformers").__version__
        return f"transformers {library}, {self._model.device.type}, {self._model.dtype}"

    def prompt(self, request: Request) -> str:
        """A request in the model's own chat template; the schema must be in its texts already.

        Raises:
            ModelError: the template refuses it.
        """
        chat = messages(request.system, request.user)
        errors = import_module("jinja2.exceptions")
        try:
            return self._templated(chat)
        except errors.TemplateError:
            # Gemma's template and others know no system message; then it starts the user's.
            merged = "\n\n".join(message["content"] for message in chat)
        try:
            return self._templated([{"role": "user", "content": merged}])
        except errors.TemplateError as error:
            raise ModelError(f"the chat template refuses a prompt ({one_line(str(error))})") from error

    def count(self, prompt: str) -> int:
        """Tokens of a prompt."""
        with self._lock:
            return len(self._tokenizer(prompt, add_special_tokens=False)["input_ids"])

    def answer(self, prompts: Sequence[Prompt]) -> list[Said]:
        """Answers prompts of one temperature in one batch, padded on the left.

        A row of a batch differs from the same row alone in its last bits, so an answer may too.

        Raises:
            ModelError: the model failed; `Overloaded` where memory was short.
        """
        torch = import_module("torch")
        try:
            return self._answer(torch, prompts)
        except torch.OutOfMemoryError as error:
            torch.cuda.empty_cache()
            problem = f"no memory for {len(prompts)} prompts at once: lower batch or context_tokens"
            raise Overloaded(problem) from error
        except RuntimeError as error:
            raise ModelError(f"torch failed: {one_line(str(error))}") from error

    def _templated(self, chat: Sequence[Mapping[str, str]]) -> str:
        text: str = self._tokenizer.apply_chat_template(
            chat, tokenize=False, add_generation_prompt=True, enable_thinking=self._thinking
        )
        return text

    def _answer(self, torch: Any, prompts: Sequence[Prompt]) -> list[Said]:
        rows = self._rows(prompts)
        width = rows["input_ids"].shape[1]
        cuda = [self._model.device] if self._model.device.type == "cuda" else []
        # Draws of our own, so that nobody else's are seeded.
        with torch.inference_mode(), torch.random.fork_rng(devices=cuda):
            if self._sampling.seed is not None:
                torch.manual_seed(self._sampling.seed)
            drawn = self._model.generate(
                input_ids=rows["input_ids"],
                attention_mask=rows["attention_mask"],
                stopping_criteria=[_row_by_row(torch, prompts, width)],
                **self._options(prompts),
            )
        said = drawn[:, width:].tolist()
        lengths = rows["attention_mask"].sum(dim=1).tolist()
        return [self._said(*row) for row in zip(prompts, said, lengths, strict=True)]

    def _rows(self, prompts: Sequence[Prompt]) -> Any:
        with self._lock:
            rows = self._tokenizer(
                [prompt.text for prompt in prompts],
                return_tensors="pt",
                padding=True,
                padding_side="left",
                add_special_tokens=False,  # the template has written them
            )
        return rows.to(self._model.device)

    def _options(self, prompts: Sequence[Prompt]) -> dict[str, Any]:
        options: dict[str, Any] = {
            "max_new_tokens": max(prompt.max_tokens for prompt in prompts),
            "repetition_penalty": self._sampling.repetition_penalty,
            "pad_token_id": self._tokenizer.pad_token_id,
            "do_sample": prompts[0].temperature > 0,
        }
        if options["do_sample"]:
            options["temperature"] = prompts[0].temperature
            options["top_p"] = self._sampling.top_p
            options["top_k"] = max(0, self._sampling.top_k)  # 0 is all here, -1 with servers
        return options

    def _said(self, prompt: Prompt, tokens: list[int], prompt_tokens: int) -> Said:
        tokens = tokens[: prompt.max_tokens]
        end = next((place for place, token in enumerate(tokens) if token in self._ends()), None)
        kept = tokens if end is None else tokens[:end]
        with self._lock:
            text = self._tokenizer.decode(kept, skip_special_tokens=True)
        return Said(
            text=text,
            finish="length" if end is None else "stop",
            prompt_tokens=int(prompt_tokens),
            completion_tokens=len(kept) + (end is not None),
        )

    def _ends(self) -> set[int]:
        ends = self._model.generation_config.eos_token_id
        ends = [ends] if isinstance(ends, int) else ends or []
        return {*ends, self._tokenizer.eos_token_id}


def _row_by_row(torch: Any, prompts: Sequence[Prompt], width: int) -> Callable[..., Any]:
    def done(tokens: Any, _scores: Any, **_: Any) -> Any:
        length = tokens.shape[1] - width
        ended = [length >= prompt.max_tokens or prompt.given_up() for prompt in prompts]
        return torch.tensor(ended, dtype=torch.bool, device=tokens.device)

    return done


def load(
    name: str, model: str, device: str | None, dtype: str, sampling: Sampling, *, thinking: bool
) -> Engine:
    """Loads a model from a folder or from what was downloaded before; nothing is fetched, no code of it runs.

    Raises:
        ConfigError: it cannot be loaded; one line with the key and what to do.
    """
    key = f"llm.models.{name}.model"
    torch, transformers = import_module("torch"), import_module("transformers")
    import_module("transformers.utils.logging").disable_progress_bar()
    local = {"local_files_only": True, "trust_remote_code": False}
    place = device or ("cuda" if torch.cuda.is_available() else "cpu")
    kind = dtype if dtype == "auto" else getattr(torch, dtype)
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(model, **local)
        weights = transformers.AutoModelForCausalLM.from_pretrained(model, dtype=kind, **local).to(place)
    except Exception as error:
        # The libraries raise a dozen unrelated types here (hub, safetensors, torch, OS).
        raise ConfigError(
            f"{key}: {model} cannot be loaded on {place} ({one_line(str(error))}); give a folder that holds"
            " config.json, weights and tokenizer, or download the model before: nothing is fetched here"
        ) from error
    if not tokenizer.chat_template:
        raise ConfigError(f"{key}: {model} has no chat template: take the variant made for instructions")
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token  # masked anyway
    return Engine(weights.eval(), tokenizer, sampling, thinking=thinking)
