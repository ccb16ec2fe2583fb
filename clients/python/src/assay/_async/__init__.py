"""The asynchronous client. `assay._sync` is generated from these files."""
