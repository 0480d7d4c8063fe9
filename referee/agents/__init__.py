"""Agents that need no model: single files that use nothing but Python's standard library, and run inside the fence."""
