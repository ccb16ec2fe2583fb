# Generated from _async/__init__.py by scripts/generate-clients.mjs. Do not edit.
"""The synchronous client."""
