# Generated from contract/openapi.json by npm run contract; do not edit.
"""The methods of the asynchronous client."""
