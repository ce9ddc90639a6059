"""Trains the speech detector on the batches that make_pool.py has written (and goes on writing).

usage: train.py POOL_DIR OUT.pt MINUTES [START.pt]
"""
import glob
import sys
import time
import numpy as np
import torch
from model import Detector

TAKE, RATE = 8, 1.5e-3


def main():
    pool, out, minutes = sys.argv[1], sys.argv[2], float(sys.argv[3])
    torch.manual_seed(7)
    torch.set_num_threads(1)
    rng = np.random.default_rng(int(time.time()))
    cache, names = {}, []

    def batch():
        nonlocal names
        if rng.random() < 0.05 or len(names) < 4:
            names = [n for n in glob.glob(f"{pool}/*.npz") if ".tmp." not in n]
            while not names:
                time.sleep(2)
                names = [n for n in glob.glob(f"{pool}/*.npz") if ".tmp." not in n]
        name = names[rng.integers(len(names))]
        if name not in cache:
            z = np.load(name)
            cache[name] = (z["f"], z["y"])
        f, y = cache[name]
        pick = rng.permutation(len(f))[:TAKE]
        return torch.from_numpy(f[pick].astype(np.float32)), torch.from_numpy(y[pick].astype(np.float32))

    net = Detector()
    if len(sys.argv) > 4:
        net.load_state_dict(torch.load(sys.argv[4]))
    else:
        net.mean.copy_(batch()[0].mean((0, 1)))
        net.std.copy_(torch.full((80,), 4.0))
    opt = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=1e-3)
    began, step, run = time.time(), 0, 0.0
    while True:
        done = (time.time() - began) / (minutes * 60)
        if done >= 1:
            break
        for g in opt.param_groups:
            g["lr"] = RATE * min(1, (step + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * done)) + 1e-6
        # Every clip is seen several times, each time at another level and with other bands missing.
        f, y = batch()
        f = f + torch.from_numpy(rng.uniform(-3, 3, (len(f), 1, 1)).astype(np.float32))
        for i in range(len(f)):
            w = rng.integers(0, 10)
            s = rng.integers(0, 80 - w)
            f[i, :, s:s + w] = net.mean[s:s + w]
        logit = net(f)
        y = y[:, ::2][:, :logit.shape[1]]
        # Calling a noise speech is worse than missing the edge of a word.
        weight = 1 + (y < 0.5).float()
        loss = (torch.nn.functional.binary_cross_entropy_with_logits(logit, y, reduction="none") * weight).mean()
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5)
        opt.step()
        run = 0.99 * run + 0.01 * loss.item() if step else loss.item()
        step += 1
        if step % 100 == 0:
            print(f"step {step} {done * 100:.0f}% loss {run:.4f} batches {len(names)}", flush=True)
            torch.save(net.state_dict(), out)
    torch.save(net.state_dict(), out)


main()
