"""Statistics on counts: exact intervals and tests, resampling of whole tasks, agreement, rates.

In: counts, or numbers by task. Out: frozen records and floats. Everything is exact where an exact method exists; what is drawn at
random takes a seed. scipy and numpy do the work where they have it (the extra `experiments` installs them).

    clopper_pearson(85, 144)                          the exact interval of a proportion
    mcnemar(only_first=11, only_second=1)             two methods on the same items
    sign_test(favour=9, against=0)                    one sign for each task
    cluster_bootstrap(sums, sizes, seed=0)            a rate whose items come in tasks
    cohen_kappa(both=74, neither=48, only_first=11, only_second=11)
    at_least_once(38 / 144, 3)                        pass at k, as an illustration
    decompose((85, 144), (71, 144), (39, 144))        a gap by way of a third condition
"""

from experiments.statistics.agreement import Kappa, cohen_kappa
from experiments.statistics.exact import Paired, Sides, Signs, holm, mcnemar, sign_test, signs
from experiments.statistics.intervals import Interval, clopper_pearson
from experiments.statistics.rates import Decomposition, at_least_once, decompose, rate
from experiments.statistics.resampling import RESAMPLES, Estimate, cluster_bootstrap, mean_difference

__all__ = [
    "RESAMPLES",
    "Decomposition",
    "Estimate",
    "Interval",
    "Kappa",
    "Paired",
    "Sides",
    "Signs",
    "at_least_once",
    "clopper_pearson",
    "cluster_bootstrap",
    "cohen_kappa",
    "decompose",
    "holm",
    "mcnemar",
    "mean_difference",
    "rate",
    "sign_test",
    "signs",
]
