"""Small shops whose agents think at a stub server; run in a process of their own to be killed."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from shops import SMALL

from sim.build import plan_of
from sim.config import Settings
from sim.door import configured
from sim.errors import ModelError
from sim.llm.protocol import LanguageModel, Reply, Request
from sim.runs import RunPlan, run

WEEK = ("scenario.weeks=1", "probes.every_days=3", "probes.sample=20")


def served_settings(url: str, *overrides: str) -> Settings:
    """The settings of ``noodle run llm=vllm`` against a stub."""
    served = (f"llm.models.vllm.base_urls={url}", "llm.models.vllm.model=stub", "llm.retries.wait_s=0")
    return configured("progress=false", *SMALL, *WEEK, "llm=vllm", *served, "llm.max_in_flight=8", *overrides)


class Traced:
    """Notes each try in a file, when it starts and when it fails, by act, ask and attempt.

    What is written survives ``kill -9``.
    """

    def __init__(self, model: LanguageModel, trace: Path) -> None:
        self._model = model
        self._trace = trace

    async def complete(self, request: Request) -> Reply:
        """Answers, once the call is noted."""
        self._note("start", request)
        try:
            return await self._model.complete(request)
        except ModelError:
            self._note("failed", request)
            raise

    async def close(self) -> None:
        """Closes the model behind."""
        await self._model.close()

    def _note(self, what: str, request: Request) -> None:
        with self._trace.open("a", encoding="utf-8") as file:
            file.write(f"{what}\t{request.act}\t{request.ask}\t{request.attempt}\n")


def traced(plan: RunPlan, trace: Path) -> RunPlan:
    """The same plan, its calls noted in a file."""

    def models(seed: int) -> Mapping[str, LanguageModel]:
        return {name: Traced(model, trace) for name, model in plan.thinking.models(seed).items()}

    return replace(plan, thinking=replace(plan.thinking, models=models))


def child(settings: Settings, folder: Path, trace: Path, resume: bool) -> None:
    """One run, or what is left of one; the digest goes into a file beside the folder."""
    result = run(traced(plan_of(settings, folder, resume=resume), trace))
    folder.with_suffix(".digest").write_text(result.digests[0])
