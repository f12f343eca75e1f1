import os
import socket
import subprocess
import sys

import numpy as np
import pytest

import tandem


@pytest.mark.parametrize("link", ["shm", "tcp"])
@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_collectives_agree_with_numpy(launch, ranks, link):
    launch(
        ranks,
        """
        comm = tandem.init()
        def of(rank, count, dtype=np.float32):
            return np.random.default_rng(rank).standard_normal(count).astype(dtype)
        for count in 1, 7, 2048, 300_001:
            everyone = [of(rank, count) for rank in range(comm.size)]
            expected = everyone[0].copy()
            for other in everyone[1:]:
                expected += other
            for own in comm.zeros(count), np.zeros(count, np.float32):
                own[:] = everyone[comm.rank]
                comm.all_reduce(own)
                np.testing.assert_allclose(own, expected, rtol=1e-6, atol=1e-6)
                own[:] = everyone[comm.rank]
                comm.all_reduce(own, "max")
                assert (own == np.max(everyone, axis=0)).all()
            half = comm.zeros(count, np.float16)
            half[:] = everyone[comm.rank]
            comm.all_reduce(half, "min")
            assert (half == np.min([each.astype(np.float16) for each in everyone], axis=0)).all()
            assert (comm.all_gather(everyone[comm.rank]) == np.array(everyone)).all()
            rows = comm.zeros((comm.size, count), np.int64)
            rows[comm.rank] = np.arange(count) * (comm.rank + 1)
            comm.all_gather_into(rows)
            assert all((rows[rank] == np.arange(count) * (rank + 1)).all() for rank in range(comm.size))
            root = comm.size - 1
            told = of(comm.rank, count, np.float64)
            comm.broadcast(told, root)
            assert (told == of(root, count, np.float64)).all()
        # Not contiguous, and of two dimensions.
        grid = np.ones((6, 8), np.float32)[:, ::2]
        grid *= comm.rank + 1
        comm.all_reduce(grid)
        assert (grid == sum(range(1, comm.size + 1))).all() and grid.shape == (6, 4)
        # A ring of messages.
        if comm.size > 1:
            mine = np.full(5000, comm.rank, np.int32)
            theirs = np.empty(5000, np.int32)
            after, before = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
            if comm.rank % 2 == 0:
                comm.send(mine, after); comm.receive(theirs, before)
            else:
                comm.receive(theirs, before); comm.send(mine, after)
            assert (theirs == before).all()
            assert comm.link(after) == os.environ["LINK"]
        comm.barrier()
        """.replace('os.environ["LINK"]', repr(link)),
        "--link",
        link,
    )


def test_registered_arrays_are_not_copied(launch):
    launch(
        2,
        """
        comm = tandem.init()
        array = comm.zeros((3, 4))
        address = array.ctypes.data
        array += comm.rank
        comm.all_reduce(array)
        assert array.ctypes.data == address and comm._scratch is None and (array == 1).all()
        # Memory comes back when the last array of it is gone.
        for _ in range(50):
            big = comm.zeros(16 << 20)
            view = big[:10]
            del big
            view[:] = 3
        try:
            comm.zeros(1 << 30)
        except MemoryError as error:
            assert "make it larger" in str(error)
        else:
            raise AssertionError("256 MiB hold no 4 GiB")
        """,
    )


def test_memory_is_free_with_its_last_array(launch):
    launch(
        2,
        """
        import weakref
        comm = tandem.init()
        array = comm.zeros(2048)
        comm.all_reduce(array)
        memory = weakref.ref(comm._memory(array))
        assert memory() is not None
        del array
        assert memory() is None
        """,
    )


def test_a_lost_rank_is_an_exception(launch):
    ended = launch(
        3,
        """
        comm = tandem.init(timeout=30)
        array = comm.zeros(100_000)
        comm.all_reduce(array)
        if comm.rank == 1:
            os._exit(7)
        try:
            while True:
                comm.all_reduce(array)
        except tandem.PeerLost as lost:
            assert isinstance(lost, ConnectionError)
            print(f"rank {comm.rank} lost {lost.rank}")
        """,
        "--keep-going",
        check=False,
    )
    assert ended.returncode == 7, ended.stderr
    assert sorted(ended.stdout.split("\n")[:2]) == ["rank 0 lost 1", "rank 2 lost 1"], ended.stdout + ended.stderr


def test_a_silent_rank_is_lost_by_the_deadline(launch):
    ended = launch(
        2,
        """
        import time
        comm = tandem.init()
        comm.set_timeout(0.5)
        if comm.rank == 1:
            time.sleep(3)
            sys.exit(0)
        try:
            comm.barrier()
        except tandem.PeerLost as lost:
            print("lost", lost.rank)
        """,
    )
    assert ended.stdout == "lost 1\n"


def test_mistakes_are_told(launch):
    launch(
        2,
        """
        comm = tandem.init()
        def refused(kind, says, call):
            try:
                call()
            except kind as error:
                assert says in str(error), error
            else:
                raise AssertionError(says)
        refused(TypeError, "expected float32 or float16", lambda: comm.all_reduce(np.zeros(3)))
        refused(TypeError, "expected a NumPy array", lambda: comm.send([1, 2], 1))
        refused(TypeError, "objects", lambda: comm.broadcast(np.array([object()])))
        refused(ValueError, "expected sum, max or min", lambda: comm.all_reduce(np.zeros(3, np.float32), "mean"))
        refused(ValueError, "rows", lambda: comm.all_gather_into(np.zeros(3)))
        refused(ValueError, "timeout", lambda: comm.set_timeout(0))
        comm.barrier()
        """,
    )
    with pytest.raises(RuntimeError, match="tandem launch"):
        tandem.init()
    with pytest.raises(ValueError, match="addresses and secret"):
        tandem.init(0, 2)
    with pytest.raises(ValueError, match="3 ranks, but 1"):
        tandem.init(0, 3, addresses=["127.0.0.1:0"], secret="x")


def test_ranks_meet_by_address():
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    addresses = [f"127.0.0.1:{it.getsockname()[1]}" for it in sockets]
    for it in sockets:
        it.close()
    script = (
        "import numpy as np, sys, tandem\n"
        f"comm = tandem.init(int(sys.argv[1]), 2, addresses={addresses}, secret='a secret of this test')\n"
        "array = np.full(10, comm.rank + 1, np.float32); comm.all_reduce(array); print(array[0])"
    )
    ranks = [subprocess.Popen([sys.executable, "-c", script, str(rank)], stdout=subprocess.PIPE, text=True) for rank in range(2)]
    assert [rank.communicate(timeout=90)[0] for rank in ranks] == ["3.0\n", "3.0\n"]


def test_launch_says_what_went_wrong(launch):
    program = os.environ.get("TANDEM_PROGRAM", "tandem")
    ended = subprocess.run([program, "launch", "-n", "2", "no-such-program"], capture_output=True, text=True)
    assert ended.returncode == 1 and "cannot start `no-such-program`" in ended.stderr
    ended = launch(2, "sys.exit(5 if os.environ['TANDEM_RANK'] == '1' else 0)", check=False)
    assert ended.returncode == 5 and "rank 1 ended with" in ended.stderr
