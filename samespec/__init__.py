"""The front door: the command line (`samespec.main`), the Python API (`samespec.api`) and the reports."""

__version__ = "0.1.0"
