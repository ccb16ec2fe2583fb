"""The version of this distribution, which equals the API's."""

__version__ = "0.1.0"
