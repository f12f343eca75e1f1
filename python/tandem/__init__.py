"""Several computers, one program.

For any program: arrays between processes, over shared memory, RDMA or TCP, whichever is fastest::

    import tandem

    comm = tandem.init()             # under `tandem launch -n 4 python script.py`
    gradients = comm.zeros(1 << 20)  # a NumPy array in registered memory
    gradients[:] = compute(comm.rank)
    comm.all_reduce(gradients)       # in place, without copies

For models: one model over several nodes::

    with tandem.Model("smollm2", nodes=2) as model:
        for piece in model.stream("Why is the sky blue?"):
            print(piece, end="", flush=True)
"""

from ._tandem import PeerLost
from .comm import Comm, init
from .models import Model, ModelError

__all__ = ["Comm", "Model", "ModelError", "PeerLost", "init"]
