# A ping-pong over sizes, medians, and the fit t = alpha + n / beta. Runs on CPU (Gloo).
import os
import statistics
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

RANKS = 2


def one_way(x, rank, rounds=20):
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        for turn in (0, 1):
            dist.send(x, dst=1 - rank) if rank == turn else dist.recv(x, src=1 - rank)
        times.append((time.perf_counter() - begin) / 2)
    return statistics.median(times)


def main(rank, world):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29517")
    dist.init_process_group("gloo", rank=rank, world_size=world)
    one_way(torch.zeros(1), rank)  # the first use of a pair connects it
    sizes = [4 << k for k in range(0, 20, 4)]
    medians = [one_way(torch.zeros(n // 4), rank) for n in sizes]
    if rank == 0:
        alpha = medians[0]
        beta = (sizes[-1] - sizes[0]) / max(medians[-1] - medians[0], 1e-9)
        for n, t in zip(sizes, medians):
            print(f"{n:>8} B  {t * 1e6:9.1f} us")
        print(f"alpha {alpha * 1e6:.1f} us, beta {beta / 1e9:.2f} GB/s, n1/2 {alpha * beta / 1024:.0f} KiB")
    assert all(t > 0 for t in medians)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(main, args=(RANKS,), nprocs=RANKS)
    print("ok")
