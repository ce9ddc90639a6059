"""Owns the rates of finished detectors on pairs of originals and copies (copies.py): by family, for the mean of the networks and for each of them, with the distance of their log mel spectra.

Usage: score_copies.py WEIGHTS.pt 'MADE-fresh/*/*.json' [MOST]     WEIGHTS: networks of the page-wise training, copy `all`; at most so many pairs of each family (160)
"""
import glob
import json
import sys

import numpy as np
import torch

import judge
import nets
from export import load
from neural_vocoders import log_mel
from store import CROP

BATCH = 32


@torch.no_grad()
def main(weights, made, most="160"):
    dev = "cuda" if torch.cuda.is_available() else "cpu"
    saved = torch.load(weights, map_location="cpu")
    members = {k.split("/")[1]: load(nets.make(k.split("/")[1]), s).to(dev) for k, s in saved.items() if k.startswith("synthetic/") and k.endswith("/all") and "earlier" not in k}
    for path in sorted(glob.glob(made)):
        waves = [np.fromfile(f"{path[:-5]}.{side}.raw", np.int16).reshape(-1, CROP)[: int(most)] for side in ("orig", "copy")]
        z = {n: [np.concatenate([net(torch.from_numpy(w[k:k + BATCH]).to(dev).float()).float().cpu().numpy() for k in range(0, len(w), BATCH)]) for w in waves] for n, net in members.items()}
        mels = [log_mel(torch.from_numpy(w).float() / 32768) for w in waves]
        rate = lambda pair: round(100 * judge.eer(*pair), 1)
        print(json.load(open(path))["system"], len(waves[0]), "EER", rate(np.mean(list(z.values()), 0)), {n: rate(p) for n, p in z.items()}, "distance %.2f" % float((mels[0] - mels[1]).abs().mean()), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
