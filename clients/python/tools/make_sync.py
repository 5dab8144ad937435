"""Generates `_sync` from `_async`, so that the two clients stay equal. `--check` only compares.

Run with: python3 tools/make_sync.py
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "src/beatmarket"
NOTE = "# Made from _async by tools/make_sync.py; edit that, and run it.\n"
CHANGES = (
    (r"\bawait anyio\.sleep\b", "time.sleep"),
    (r"\bawait anyio\.to_thread\.run_sync\(work\)", "work()"),
    (r"in a thread what would hold up other tasks", "what takes a while"),
    (r"        import anyio(\.to_thread)?\n\n", ""),
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAsync(?=[A-Z])", ""),
    (r"__a(enter|exit)__", r"__\1__"),
    (r"\baclose\b", "close"),
    (r"\baiter_bytes\b", "iter_bytes"),
    (r"The asynchronous client, .*(?=\.\"\"\")", "The synchronous client"),
    ("share it between tasks", "share it between threads"),
)


def synchronous(source: str) -> str:
    """The synchronous version of a module."""
    for pattern, replacement in CHANGES:
        source = re.sub(pattern, replacement, source)
    return NOTE + source


def main() -> int:
    """Returns exit status 1 if `--check` finds an outdated file."""
    stale = 0
    for path in sorted((PACKAGE / "_async").glob("*.py")):
        target = PACKAGE / "_sync" / path.name
        made = synchronous(path.read_text("utf-8"))
        if "--check" not in sys.argv:
            target.write_text(made, "utf-8")
        elif not target.exists() or target.read_text("utf-8") != made:
            print(f"{target} is not what tools/make_sync.py makes.")
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
