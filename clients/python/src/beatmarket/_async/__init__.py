"""The asynchronous client, from which `tools/make_sync.py` makes the synchronous one in `_sync`."""
