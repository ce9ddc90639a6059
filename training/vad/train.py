"""Trains the speech detector: a small dilated convolution net on the log-mel features that the speaker model uses anyway.

usage: train.py DIR_WITH_RAW_JSON_U8 OUT.pt [minutes] [workers] [START.pt]
"""
import sys
import time
import numpy as np
import torch
from data import SR, Speech, clip, esc10
from model import Detector, logmel
import multiprocessing as mp


def worker(folder, seed, queue, batch, seconds):
    torch.set_num_threads(1)
    rng = np.random.default_rng(seed)
    sets = load(folder)
    esc = esc10(f"{folder}/esc10.raw", False)
    while True:
        xs, ys = zip(*[clip(rng, sets, esc, seconds) for _ in range(batch)])
        f = logmel(torch.from_numpy(np.stack(xs)))
        queue.put((f.numpy().astype(np.float16), np.stack(ys)))


def load(folder):
    s = lambda name, limit=None: Speech(f"{folder}/{name}.raw", f"{folder}/{name}.json", f"{folder}/{name}.u8", limit)
    return [s("librispeech"), s("speechocean762"), s("commonvoice-0", 1800), s("commonvoice-0", 1800)]


def main():
    folder, out = sys.argv[1], sys.argv[2]
    minutes = float(sys.argv[3]) if len(sys.argv) > 3 else 10
    workers = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    torch.manual_seed(7)
    queue = mp.Queue(6)
    procs = [mp.Process(target=worker, args=(folder, 100 + i, queue, 16, 8), daemon=True) for i in range(workers)]
    for p in procs:
        p.start()
    torch.set_num_threads(1)
    net = Detector()
    rng = np.random.default_rng(5)
    if len(sys.argv) > 5:
        net.load_state_dict(torch.load(sys.argv[5]))
    else:
        f, _ = queue.get()
        net.mean.copy_(torch.from_numpy(f.astype(np.float32)).mean((0, 1)))
        net.std.copy_(torch.full((80,), 4.0))
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
    began, step, run, pool = time.time(), 0, 0.0, []
    while True:
        done = (time.time() - began) / (minutes * 60)
        if done >= 1:
            break
        for g in opt.param_groups:
            g["lr"] = 2e-3 * min(1, (step + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * done)) + 1e-6
        # A pool of recent batches: making a clip costs more than learning from it, so each is seen several times, at
        # another level and with other bands missing.
        while len(pool) < 8 or not queue.empty():
            pool.append(queue.get())
            pool = pool[-300:]
        f, y = pool[rng.integers(len(pool))]
        f, y = torch.from_numpy(f.astype(np.float32)), torch.from_numpy(y)
        f = f + torch.from_numpy(rng.uniform(-3, 3, (len(f), 1, 1)).astype(np.float32))
        for i in range(len(f)):
            w = rng.integers(0, 12)
            s = rng.integers(0, 80 - w)
            f[i, :, s:s + w] = net.mean[s:s + w]
        logit = net(f)
        y = y[:, ::2][:, :logit.shape[1]]
        weight = 1 + 0.5 * (y < 0.5).float()
        loss = (torch.nn.functional.binary_cross_entropy_with_logits(logit, y, reduction="none") * weight).mean()
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5)
        opt.step()
        run = 0.98 * run + 0.02 * loss.item() if step else loss.item()
        step += 1
        if step % 100 == 0:
            print(f"step {step} {done * 100:.0f}% loss {run:.4f} pool {len(pool)}", flush=True)
            torch.save(net.state_dict(), out)
    torch.save(net.state_dict(), out)
    for p in procs:
        p.terminate()


if __name__ == "__main__":
    main()
