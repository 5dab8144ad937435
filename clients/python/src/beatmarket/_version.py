"""The version of this package, also sent in the User-Agent."""

__version__ = "0.1.0"
