"""Discovery policies: how a source of text (a model, a command, a record) is asked for a witness, and what it is told.

In: a task, a provider, the gates. Out: an `Episode`: three calls, what came, how the gates judged it, which was selected. The
policies, after "When Correctness Feedback Erases Evidence: Phase-Separated Completeness Auditing in Verus":

| policy | what a call is told |
|---|---|
| `direct` | nothing of the calls before it: three independent draws from one prompt |
| `intentshield` | the candidate before it, and what compiler, verifier and visible cases said about that |
| `masked` | the same frame, with "not evaluated" in the place of everything that they said |
| `judgment` | the candidate before it, with a request to assess it first |
| `phase` | as `direct`; the answers are frozen, byte for byte, before anything judges them |

    view       what discovery may see of a task: no case, no full contract, no implementation
    prompts    the texts;  answers   what of an answer is the candidate
    block      the feedback's layout, and the block that does not tell;  feedback  the block that does
    calls      the policies themselves: only `corrected` (intentshield) gets a judge
    freeze     the file that stands between the phases
    episodes   one episode from beginning to end
    revision   a contract revised by a provider, checked by equiv
    synthesis  implementations written to a contract, judged by it and by the full one
    providers  an OpenAI-compatible endpoint, a record, a command
"""
