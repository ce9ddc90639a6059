"""Makes batches of training clips ahead of the training, as files: features (float16) and frame labels.

usage: make_pool.py DIR_WITH_RAW_JSON_U8 POOL_DIR SEED BATCHES
"""
import os
import sys
import numpy as np
import torch
from data import Speech, clip, esc10
from model import logmel

BATCH, SECONDS = 16, 8


def load(folder):
    s = lambda name, limit=None: Speech(f"{folder}/{name}.raw", f"{folder}/{name}.json", f"{folder}/{name}.u8", limit)
    return [s("librispeech"), s("speechocean762"), s("commonvoice-0", 1800), s("commonvoice-0", 1800)]


def main():
    folder, pool, seed, batches = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    torch.set_num_threads(1)
    rng = np.random.default_rng(seed)
    sets, esc = load(folder), esc10(f"{folder}/esc10.raw", False)
    for i in range(batches):
        xs, ys = zip(*[clip(rng, sets, esc, SECONDS) for _ in range(BATCH)])
        f = logmel(torch.from_numpy(np.stack(xs))).numpy().astype(np.float16)
        name = f"{pool}/{seed}-{i:05d}"
        np.savez(name + ".tmp.npz", f=f, y=np.stack(ys).astype(np.float16))
        os.rename(name + ".tmp.npz", name + ".npz")


main()
