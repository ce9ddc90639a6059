"""Owns the telephone version of copies and their originals (copies.py, feature_copies.py): both sides of a pair take the same draws of rooms, noise and real coders, as X.orig.tel.raw and X.copy.tel.raw.

Usage: phone_pairs.py PHONE_FOLDER CODECS NOISE_BASE ROOMS MADE UNTIL     goes through the finished folders of MADE, the last ones first, until everything is done or UNTIL (epoch seconds) has come
"""
import glob
import os
import sys
import time
import zlib
from multiprocessing import Pool

import numpy as np

import phone_pack
from store import CROP

PROCESSES = 12


def waiting(made):
    """Pairs without a telephone version, grown vocoders before young ones."""
    found = [p[:-5] for p in glob.glob(made + "/*/*.json") if ".part/" not in p and "/dsp-" not in p]
    return sorted([b for b in found if not os.path.exists(b + ".copy.tel.raw")], key=lambda b: (-int(b.rsplit("@", 1)[1]), b))


def through(pool, base, side):
    rows = np.fromfile(f"{base}.{side}.raw", np.int16).reshape(-1, CROP)
    jobs = ((zlib.crc32(f"{os.path.basename(base)}/{i}".encode()), x) for i, x in enumerate(rows))
    with open(f"{base}.{side}.tel.tmp", "wb") as f:
        for y in pool.imap(phone_pack.through, jobs, chunksize=8):
            f.write(y.tobytes())
    os.rename(f"{base}.{side}.tel.tmp", f"{base}.{side}.tel.raw")


def main(folder, codecs, noise_base, rooms, made, until):
    with Pool(PROCESSES, phone_pack.begin, (folder, codecs, noise_base, rooms)) as pool:
        while time.time() < float(until):
            todo = waiting(made)
            if not todo:
                time.sleep(2)
                continue
            for side in ("orig", "copy"):
                through(pool, todo[0], side)
            print("telephone", os.path.basename(todo[0]), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
