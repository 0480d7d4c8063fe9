"""The front door: the command line (`samespec.main`), the Python API (`samespec.api`), the reward for training loops
(`samespec.reward`) and the reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from samespec.rewards import Reward, reward

__version__ = "0.1.0"
__all__ = ["Reward", "__version__", "reward"]


def __getattr__(name: str) -> Any:
    """Imported when it is asked for: `import samespec` loads nothing else."""
    if name in ("Reward", "reward"):
        from samespec import rewards

        return getattr(rewards, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
