# Post, compute, complete: the order that allows overlap. Whether anything overlaps is up to who makes progress; Gloo has
# threads of its own. Runs on CPU (Gloo).
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

RANKS = 2


def main(rank, world):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29514")
    dist.init_process_group("gloo", rank=rank, world_size=world)
    peer = 1 - rank
    out, got = torch.full((1 << 20,), float(rank)), torch.empty(1 << 20)
    a = torch.eye(256)
    receive = dist.irecv(got, src=peer)  # post the receive first
    send = dist.isend(out, dst=peer)
    for _ in range(20):
        a = a @ torch.eye(256)  # touches neither buffer
    receive.wait()
    send.wait()
    assert torch.equal(got, torch.full_like(got, float(peer)))
    assert torch.equal(a, torch.eye(256))
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(main, args=(RANKS,), nprocs=RANKS)
    print("ok")
