# All-reduce out of 2(p-1) steps of sends and receives, against dist.all_reduce. Runs on CPU (Gloo).
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

RANKS = 4


def ring_all_reduce(x, rank, world):
    """Sums x over all ranks in place; returns the bytes that this rank has sent."""
    pieces = list(x.chunk(world))
    right, left = (rank + 1) % world, (rank - 1) % world
    sent = 0

    def step(give, take, add):
        nonlocal sent
        got = torch.empty_like(pieces[take])
        receive, send = dist.irecv(got, src=left), dist.isend(pieces[give], dst=right)
        receive.wait()
        send.wait()
        sent += pieces[give].numel() * pieces[give].element_size()
        if add:
            pieces[take] += got
        else:
            pieces[take].copy_(got)

    for i in range(world - 1):  # reduce-scatter
        step((rank - i) % world, (rank - i - 1) % world, add=True)
    for i in range(world - 1):  # all-gather
        step((rank + 1 - i) % world, (rank - i) % world, add=False)
    return sent


def main(rank, world):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29516")
    dist.init_process_group("gloo", rank=rank, world_size=world)
    torch.manual_seed(rank)
    x = torch.randint(0, 100, (4096,)).float()
    y = x.clone()
    sent = ring_all_reduce(x, rank, world)
    dist.all_reduce(y)
    assert torch.equal(x, y)
    assert sent == 2 * (world - 1) * 4096 * 4 // world  # 2(p-1)/p S
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(main, args=(RANKS,), nprocs=RANKS)
    print("ok")
