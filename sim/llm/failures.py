"""``llm_failures.jsonl``: why decisions failed, one JSON line each, written as it happens."""

import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sim.llm.protocol import Outcome, Request

Ask = Callable[[Request], Awaitable[Outcome]]


class FailureLog:
    """The file in the folder of a run; it is there once something has failed.

    A resumed run meets the stored failures again and writes the file anew.

    Args:
        folder: of the run; None writes nothing.
    """

    def __init__(self, folder: Path | None) -> None:
        self._path = folder and folder / "llm_failures.jsonl"
        self._begun = False

    def told(self, ask: Ask) -> Ask:
        """The same way of asking, with every failure noted."""
        if self._path is None:
            return ask

        async def asked(request: Request) -> Outcome:
            outcome = await ask(request)
            if outcome.value is None:
                self.note(request, outcome)
            return outcome

        return asked

    def note(self, request: Request, outcome: Outcome) -> None:
        """Writes one failure down; the run goes on where that cannot be done, its counts have it too."""
        assert self._path is not None
        with suppress(OSError), self._path.open("ab" if self._begun else "wb") as file:
            line = json.dumps(_line(request, outcome), ensure_ascii=False)
            file.write(line.encode("utf-8", "backslashreplace") + b"\n")
            self._begun = True


def _line(request: Request, outcome: Outcome) -> dict[str, Any]:
    return {
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "act": str(request.act),
        "ask": request.ask,
        "time_ms": request.time_ms,
        "role": request.role,
        "model": request.model,
        "error.type": outcome.kind,
        "message": outcome.error,
        "attempts": outcome.attempts,
        "replayed": outcome.replayed,
    }
