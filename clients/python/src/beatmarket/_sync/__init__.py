# Generated from _async by npm run contract; edit that.
"""The asynchronous client, from which `npm run contract` generates the synchronous one in `_sync`."""
