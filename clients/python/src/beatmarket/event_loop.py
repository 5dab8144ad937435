"""The event loop that the connections of an asynchronous client belong to."""

from __future__ import annotations

import os

from .errors import BeatMarketError


def check_loop(loops: dict[int, object]) -> None:
    """Raises BeatMarketError if this process used the connections in another event loop.

    `loops` has the first one of each process.
    """
    loop = _current()
    if loops.setdefault(os.getpid(), loop) != loop:
        raise BeatMarketError(
            "The connections of this client belong to another event loop, and cannot be used in this one: make a "
            "client of its own in each asyncio.run()."
        )


def _current() -> object:
    import asyncio

    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        from anyio.lowlevel import current_token

        return current_token()
