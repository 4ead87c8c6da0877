# 1F1B on 2 stages with autograd: activations forward, their gradients backward, weight gradients stay. The gradients
# equal those of one process. Runs on CPU (Gloo).
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

RANKS = 2
MICROBATCHES, SIZE, WIDTH = 6, 4, 8


def stage(i):
    torch.manual_seed(100 + i)
    return torch.nn.Sequential(torch.nn.Linear(WIDTH, WIDTH), torch.nn.Tanh())


def batch():
    torch.manual_seed(7)
    return torch.randn(MICROBATCHES, SIZE, WIDTH)


def serial_gradients():
    stages = [stage(0), stage(1)]
    for x in batch():
        stages[1](stages[0](x)).square().sum().backward()
    return [[p.grad for p in s.parameters()] for s in stages]


def main(rank, world):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29518")
    dist.init_process_group("gloo", rank=rank, world_size=world)
    mine, data = stage(rank), batch()
    kept, pending, most = [], [], 0  # activations in flight; sends not yet complete

    def forward(m):
        nonlocal most
        x = data[m] if rank == 0 else torch.empty(SIZE, WIDTH)
        if rank > 0:
            dist.recv(x, src=rank - 1)
            x.requires_grad_()
        y = mine(x)
        if rank < world - 1:
            out = y.detach()  # kept in `pending` until it has been sent
            pending.append((dist.isend(out, dst=rank + 1), out))
        kept.append((x, y))
        most = max(most, len(kept))

    def backward():
        x, y = kept.pop(0)
        if rank == world - 1:
            y.square().sum().backward()
        else:
            grad = torch.empty_like(y)
            dist.recv(grad, src=rank + 1)
            y.backward(grad)
        if rank > 0:
            pending.append((dist.isend(x.grad, dst=rank - 1), x.grad))

    warm_up = world - 1 - rank
    for m in range(warm_up):
        forward(m)
    for m in range(warm_up, MICROBATCHES):
        forward(m)
        backward()
    for _ in range(warm_up):
        backward()
    for work, _ in pending:
        work.wait()
    assert most == min(MICROBATCHES, world - rank)  # p - i, not m
    for got, wanted in zip((p.grad for p in mine.parameters()), serial_gradients()[rank]):
        assert torch.allclose(got, wanted, atol=1e-5)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(main, args=(RANKS,), nprocs=RANKS)
    print("ok")
