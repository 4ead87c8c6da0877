# One message from rank 0 to rank 1: first blocking, then posted and completed. Runs on CPU (Gloo).
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

RANKS = 2


def main(rank, world):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29511")
    dist.init_process_group("gloo", rank=rank, world_size=world)
    x = torch.arange(4.0) if rank == 0 else torch.zeros(4)
    if rank == 0:
        dist.send(x, dst=1)  # returns when x may be changed
        work = dist.isend(x, dst=1)  # returns at once: x is not ours
        work.wait()  # now it is (with Gloo this blocks Python)
    else:
        dist.recv(x, src=0)
        assert torch.equal(x, torch.arange(4.0))
        y = torch.zeros(4)
        work = dist.irecv(y, src=0)
        work.wait()  # before this line y must not be read
        assert torch.equal(y, x)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(main, args=(RANKS,), nprocs=RANKS)
    print("ok")
