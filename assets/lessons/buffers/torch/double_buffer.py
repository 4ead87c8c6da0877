# Two buffers in turn: each is waited for before it is written again. Runs on CPU (Gloo).
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

RANKS = 2
MICROBATCHES = 6


def main(rank, world):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29513")
    dist.init_process_group("gloo", rank=rank, world_size=world)
    if rank == 0:
        buffers = [torch.empty(1 << 16), torch.empty(1 << 16)]
        pending = [None, None]
        for m in range(MICROBATCHES):
            slot = m % 2
            if pending[slot] is not None:
                pending[slot].wait()  # the send of two microbatches ago
            buffers[slot].fill_(float(m))  # without the wait above: another microbatch would arrive
            pending[slot] = dist.isend(buffers[slot], dst=1)
        for work in pending:
            work.wait()
    else:
        for m in range(MICROBATCHES):
            got = torch.empty(1 << 16)
            dist.recv(got, src=0)
            assert bool((got == float(m)).all())
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(main, args=(RANKS,), nprocs=RANKS)
    print("ok")
