"""Owns the scores of one labelled attack pack by trained weights, view by view, on a GPU (score_pack.py does the same with a finished ONNX file on a CPU).

Usage: score_pages.py PACKS NOISE_PACK WEIGHTS.pt[+MORE.pt] COPY OUT.npz     PACKS: a folder with the decoded pack, or, where NOISE_PACK is `-`, what judge_pages.py cut; writes condition/VIEW/COPY and the labels
"""
import json
import sys

import numpy as np
import torch

import judge_pages
from export import load
from nets import make


def main(packs, noise, weights, copy, out):
    dev = "cuda" if torch.cuda.is_available() else "cpu"
    if noise != "-":
        judge_pages.main(packs, noise, packs + "/bench")
    bench = judge_pages.Bench(packs if noise == "-" else packs + "/bench", dev)
    saved = {k: v for w in weights.split("+") for k, v in torch.load(w, map_location="cpu").items()}
    nets = {f"{k.split('/')[1]}/{copy}": load(make(k.split("/")[1]), state).to(dev) for k, state in saved.items() if k.endswith("/" + copy)}
    scores = bench.score(nets)
    np.savez_compressed(out, index=json.dumps(bench.index["rows"]), **scores)


if __name__ == "__main__":
    main(*sys.argv[1:])
