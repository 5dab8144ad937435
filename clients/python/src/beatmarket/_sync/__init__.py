# Generated from _async by npm run contract; edit that.
"""The asynchronous client, from which `tools/make_sync.py` generates the synchronous one in `_sync`."""
