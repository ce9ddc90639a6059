"""Owns the scores of one labelled attack pack by trained weights, view by view, on a GPU (score_pack.py does the same with a finished ONNX file on a CPU).

Usage: score_pages.py PACKS NOISE_PACK WEIGHTS.pt COPY OUT.npz     PACKS: a folder with the decoded pack; writes condition/VIEW/COPY, the labels, and the windows' statistics for trees
"""
import json
import sys

import numpy as np
import torch

import judge_pages
from export import load
from nets import BRANCHES


def main(packs, noise, weights, copy, out):
    dev = "cuda" if torch.cuda.is_available() else "cpu"
    judge_pages.main(packs, noise, packs + "/bench")
    saved, bench = torch.load(weights, map_location="cpu"), judge_pages.Bench(packs + "/bench", dev)
    nets = {f"{k.split('/')[1]}/{copy}": load(BRANCHES[k.split("/")[1]](), state).to(dev) for k, state in saved.items() if k.endswith("/" + copy)}
    scores = bench.score(nets)
    extra = {}
    if f"stats/{copy}" in nets:
        spectrum = nets[f"stats/{copy}"].spectrum
        with torch.no_grad():
            for c in ("clean", "telephone"):
                wins = bench.wins[c]
                rows = [spectrum(torch.from_numpy(np.array(wins[k:k + 128])).to(dev).float()).clamp(-6e4, 6e4).half().cpu().numpy() for k in range(0, len(wins), 128)]
                extra["statistics/" + c], extra["owner/" + c] = np.concatenate(rows), np.array(bench.index["owner"][c])
    np.savez_compressed(out, index=json.dumps(bench.index["rows"]), **scores, **extra)


if __name__ == "__main__":
    main(*sys.argv[1:])
