"""Music and tones made by code, as a file of int16 clips for train_gpu.py.

usage: make_bank.py OUT.npy CLIPS PROCESSES SEED
"""
import sys
from multiprocessing import Pool
import numpy as np
from data import music, tones

CLIP = 8 * 16000


def one(seed):
    rng = np.random.default_rng(seed)
    x = music(rng, CLIP) if rng.random() < 0.6 else tones(rng, CLIP)
    return np.round(x * 20000).astype(np.int16)


if __name__ == "__main__":
    out, clips, processes, seed = sys.argv[1], *map(int, sys.argv[2:5])
    with Pool(processes) as pool:
        np.save(out, np.stack(list(pool.imap_unordered(one, range(seed, seed + clips), 4))))
