"""How many threads numpy calculates on."""

import os


def calculate_on_one_thread() -> None:
    """Keep the library under numpy to one thread, unless the environment says otherwise; numpy is imported later.

    Our matrices are small: more threads make no result faster, and spend most of their CPU time waiting for work.
    """
    for name in ("BLIS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")
