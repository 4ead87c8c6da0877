# Dispatch and combine as all-to-all with unequal counts: counts first, then tokens; combine is the inverse. Runs on CPU.
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

RANKS = 3
TOKENS, H = 10, 4


def main(rank, world):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29521")
    dist.init_process_group("gloo", rank=rank, world_size=world)
    torch.manual_seed(rank)
    x = torch.randn(TOKENS, H)
    expert = torch.randint(0, world, (TOKENS,)) if rank > 0 else torch.full((TOKENS,), 1)  # rank 0 has nothing for 0 and 2
    order = torch.argsort(expert, stable=True)  # packed by destination
    give = torch.bincount(expert, minlength=world)
    take = torch.empty_like(give)
    dist.all_to_all_single(take, give)  # who gets how many
    got = torch.empty(int(take.sum()), H)
    dist.all_to_all_single(got, x[order], take.tolist(), give.tolist())  # dispatch
    done = got * 2  # the expert
    back = torch.empty(TOKENS, H)
    dist.all_to_all_single(back, done, give.tolist(), take.tolist())  # combine: the same counts, the other way
    y = torch.empty_like(x)
    y[order] = back
    assert torch.allclose(y, x * 2)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(main, args=(RANKS,), nprocs=RANKS)
    print("ok")
