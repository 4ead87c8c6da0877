# One synchronous server and 3 workers: push, sum, pull. Gloo can receive from anybody; NCCL cannot. Runs on CPU (Gloo).
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

RANKS = 4
SERVER = 0


def main(rank, world):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29520")
    dist.init_process_group("gloo", rank=rank, world_size=world)
    parameters = torch.zeros(16)
    for step in range(3):
        if rank == SERVER:
            total = torch.zeros(16)
            for _ in range(world - 1):
                gradient = torch.empty(16)
                dist.recv(gradient)  # from any source: in order of arrival
                total += gradient
            parameters -= 0.1 * total
            for work in [dist.isend(parameters, dst=w) for w in range(1, world)]:
                work.wait()
        else:
            dist.send(torch.full((16,), float(rank + step)), dst=SERVER)
            dist.recv(parameters, src=SERVER)
    assert torch.allclose(parameters, torch.full((16,), -0.1 * (6 + 9 + 12)))
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(main, args=(RANKS,), nprocs=RANKS)
    print("ok")
