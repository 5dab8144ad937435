# Generated from contract/openapi.json by npm run contract; do not edit.
"""Objects, operations and their methods, as the contract describes them."""
