"""Embeds evaluation audio (see conditions.py) with one or more networks.

    python3 -m speaker.embed --audio DIR --out DIR NAME=checkpoint.pt ... prototype=PROTOTYPE.pt

writes `NAME.npy` (float16, one normalised row per entry of audio.json). With `--buckets` lengths are
cut as in the prototype's table (1, 1.5, 2, 3, 4, 6, 8, 10 s), else to multiples of 0.2 s.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from common.features import LogMel
from common.packs import SAMPLE_RATE
from speaker.model import load, load_prototype

BUCKETS = [1, 1.5, 2, 3, 4, 6, 8, 10]


def cut(x: np.ndarray, buckets: bool) -> np.ndarray:
    if buckets:
        n = int(max(b for b in BUCKETS if b * SAMPLE_RATE <= max(len(x), SAMPLE_RATE)) * SAMPLE_RATE)
    else:
        n = max(5, min(len(x) // 3200, 150)) * 3200
    return x[:n] if len(x) >= n else np.resize(x, n)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--audio", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--buckets", action="store_true")
    parser.add_argument("--sets", help="only these sets, comma separated (other rows stay zero)")
    parser.add_argument("nets", nargs="+", metavar="NAME=FILE")
    args = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    index = json.loads((Path(args.audio) / "audio.json").read_text())
    raw = np.fromfile(Path(args.audio) / "audio.raw", dtype="<i2")
    ends = np.cumsum([m["samples"] for m in index])
    nets = {}
    for item in args.nets:
        name, path = item.split("=", 1)
        nets[name] = (load_prototype(path) if name == "prototype" else load(path)).to(device)
    groups: dict[int, list[tuple[int, np.ndarray]]] = {}
    wanted = args.sets.split(",") if args.sets else None
    for i, meta in enumerate(index):
        if wanted and meta["set"] not in wanted:
            continue
        x = cut(raw[ends[i] - meta["samples"]:ends[i]], args.buckets)
        groups.setdefault(len(x), []).append((i, x))
    logmel = LogMel().to(device)
    result: dict[str, np.ndarray] = {}
    with torch.no_grad():
        for size, items in sorted(groups.items()):
            step = max(1, int(256 * 4 * SAMPLE_RATE / size))
            for k in range(0, len(items), step):
                part = items[k:k + step]
                feats = logmel(torch.from_numpy(np.stack([x for _, x in part])).to(device).float())
                for name, net in nets.items():
                    e = F.normalize(net(feats).float(), dim=1).half().cpu().numpy()
                    if name not in result:
                        result[name] = np.zeros((len(index), e.shape[1]), np.float16)
                    result[name][[i for i, _ in part]] = e
    Path(args.out).mkdir(parents=True, exist_ok=True)
    for name, rows in result.items():
        np.save(Path(args.out) / f"{name}.npy", rows)
    print("embedded", sum(map(len, groups.values())), "utterances with", ", ".join(nets), flush=True)


if __name__ == "__main__":
    main()
