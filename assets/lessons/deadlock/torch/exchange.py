# Two ranks exchange a tensor, safe at any size: both directions posted before anybody waits. Runs on CPU (Gloo).
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

RANKS = 2


def main(rank, world):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29512")
    dist.init_process_group("gloo", rank=rank, world_size=world)
    peer = 1 - rank
    out = torch.full((1 << 20,), float(rank))
    got = torch.empty_like(out)
    # Unsafe: dist.send(out, peer); dist.recv(got, peer) on both ranks.
    # With NCCL these two become one group and progress together; with Gloo one Work comes back for each of them.
    works = dist.batch_isend_irecv([dist.P2POp(dist.isend, out, peer), dist.P2POp(dist.irecv, got, peer)])
    for work in works:
        work.wait()
    assert torch.equal(got, torch.full_like(got, float(peer)))
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(main, args=(RANKS,), nprocs=RANKS)
    print("ok")
