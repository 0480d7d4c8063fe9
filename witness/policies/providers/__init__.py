"""Providers: where answers come from.

In: a `Request` (its key, and a prompt). Out: a `Reply`. A provider sees prompts and nothing else: no task, no judge.

    base        the records, the interface, and `Source`, which says how to open a provider in any process
    openai_api  any OpenAI-compatible endpoint (the extra `models`)
    command     a program: prompt in, answer out, within limits, behind the referee's fence where wanted
    transcript  answers that were recorded; and the recorder, which every run of another provider goes through
"""

from witness.policies.providers.base import Key, Provider, ProviderError, Reply, Request, Source, Usage, open_source

__all__ = ["Key", "Provider", "ProviderError", "Reply", "Request", "Source", "Usage", "open_source"]
