# needs: cuda (2 GPUs, NCCL)
# What wait() orders: the current stream, not Python.
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

RANKS = 2


def main(rank, world):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29515")
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", rank=rank, world_size=world, device_id=torch.device("cuda", rank))
    peer = 1 - rank
    out = torch.full((1 << 22,), float(rank), device="cuda")
    got = torch.empty_like(out)
    a = torch.randn(2048, 2048, device="cuda")
    works = dist.batch_isend_irecv([dist.P2POp(dist.isend, out, peer), dist.P2POp(dist.irecv, got, peer)])
    b = a @ a  # current stream, beside the transfer
    for work in works:
        work.wait()  # orders the current stream behind the transfer; Python goes on
    total = got.sum()  # after the transfer, by stream order
    out.add_(1)  # likewise
    torch.cuda.synchronize()  # only now does Python know
    assert total.item() == float(peer) * (1 << 22)
    assert b.shape == a.shape
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(main, args=(RANKS,), nprocs=RANKS)
    print("ok")
