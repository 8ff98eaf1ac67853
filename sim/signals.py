"""Signals that would kill the process end the work instead, so that it can tidy up."""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread


@contextmanager
def cancelled_by_signals() -> Iterator[None]:
    """Lets a signal that would kill the process cancel the current task, unless somebody handles it."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    assert task is not None
    names = ("SIGTERM", "SIGHUP") if current_thread() is main_thread() else ()
    there = [getattr(signal, name) for name in names if hasattr(signal, name)]
    ours = [number for number in there if signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        # Through the loop, which may be asleep.
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(task.cancel))
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)
