# An MLP split by columns, then by rows: one all-reduce forward, one backward, and the result of one process. Runs on CPU.
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

RANKS = 2
H = 8


class CopyToAll(torch.autograd.Function):
    """f in the paper: nothing forward, an all-reduce backward."""

    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        grad = grad.clone()
        dist.all_reduce(grad)
        return grad


class SumOverAll(torch.autograd.Function):
    """g in the paper: an all-reduce forward, nothing backward."""

    @staticmethod
    def forward(ctx, x):
        x = x.clone()
        dist.all_reduce(x)
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad


def main(rank, world):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29519")
    dist.init_process_group("gloo", rank=rank, world_size=world)
    torch.manual_seed(3)
    a, b, x = torch.randn(H, 4 * H), torch.randn(4 * H, H), torch.randn(5, H)
    mine = slice(rank * 4 * H // world, (rank + 1) * 4 * H // world)

    x1 = x.clone().requires_grad_()
    y1 = SumOverAll.apply(torch.nn.functional.gelu(CopyToAll.apply(x1) @ a[:, mine]) @ b[mine, :])
    y1.sum().backward()

    x2 = x.clone().requires_grad_()
    y2 = torch.nn.functional.gelu(x2 @ a) @ b
    y2.sum().backward()
    assert torch.allclose(y1, y2, atol=1e-3)
    assert torch.allclose(x1.grad, x2.grad, atol=1e-3)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(main, args=(RANKS,), nprocs=RANKS)
    print("ok")
