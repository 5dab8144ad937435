"""The asynchronous client, from which `npm run contract` generates the synchronous one in `_sync`."""
