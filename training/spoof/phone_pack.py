"""Owns the third version of a decoded pack: its speech through rooms, noise and real telephone coders (AMR, GSM, G.729, Speex, Opus; lost packets, noise suppression, G.711), as X.tel.raw.
Both classes take the same way. The coders and the chain are those of the speaker model's telephone training (`phone.py`, beside the libraries that its build.sh makes).

Usage: phone_pack.py PHONE_FOLDER CODECS NOISE_BASE ROOMS X.json [Y.json ...]      X.json@2: once more by other draws, as X.tel2.raw
"""
import glob
import os
import sys
import zlib
from multiprocessing import Pool

import numpy as np
from scipy.io import wavfile

import bank

phone = None


def begin(folder, codecs, noise_base, rooms):
    global phone
    sys.path.insert(0, folder)
    from phone import Phone
    noise = np.concatenate([x for i, (_, x) in enumerate(bank.read(noise_base)) if i % 5])
    responses = [(lambda h: (h if h.ndim == 1 else h[:, 0]).astype(np.float64))(wavfile.read(p)[1]) for p in sorted(glob.glob(rooms + "/*.wav"))]
    phone = Phone(codecs, noise, [h / np.abs(h).max() for h in responses])


def through(job):
    seed, x = job
    return phone(x, np.random.default_rng(seed))


def main(folder, codecs, noise_base, rooms, *packs):
    with Pool(10, begin, (folder, codecs, noise_base, rooms)) as pool:
        for path in packs:
            path, again = (path.split("@") + [""])[:2]
            base, end = path[:-5], again and "@" + again
            jobs = ((zlib.crc32(f"{os.path.basename(base)}/{i}{end}".encode()), x) for i, (_, x) in enumerate(bank.read(base)))
            with open(f"{base}.tel{again}.tmp", "wb") as f:
                for y in pool.imap(through, jobs, chunksize=8):
                    f.write(y.tobytes())
            os.rename(f"{base}.tel{again}.tmp", f"{base}.tel{again}.raw")
            print("telephone", os.path.basename(base) + end, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
