# Generated from contract/openapi.json by npm run contract; do not edit.
"""What the contract says: objects, operations and their methods."""
