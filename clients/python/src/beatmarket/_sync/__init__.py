# Made from _async by tools/make_sync.py; edit that, and run it.
"""The synchronous client."""
