"""The version of this distribution, which is that of the API."""

__version__ = "0.1.0"
