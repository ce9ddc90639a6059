"""Embeds evaluation audio with ONNX files on the CPU, as the product does, one utterance at a time.

    python3 -m speaker.embed_onnx --data DIR --index audio.json --only voxforge:tel,voxforge:noisy \
        --out DIR NAME=model.onnx ...

writes `NAME.npy` with the rows of `--only` filled (others zero), and prints the CPU time per second of speech.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch

from common.features import LogMel
from common.packs import SAMPLE_RATE
from speaker.conditions import render
from speaker.export import session


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--index", required=True, help="audio.json of the same data; guards against another order")
    parser.add_argument("--only", required=True, help="SET:CONDITION, comma separated")
    parser.add_argument("--out", required=True)
    parser.add_argument("nets", nargs="+", metavar="NAME=FILE")
    args = parser.parse_args()
    index = json.loads(Path(args.index).read_text())
    wanted = set(args.only.split(","))
    sessions = {n: session(Path(p)) for n, p in (item.split("=", 1) for item in args.nets)}
    rows = {n: None for n in sessions}
    spent = dict.fromkeys(sessions, 0.0)
    logmel, seconds = LogMel(), 0.0
    for i, meta, samples in render(args.data, lambda s, c: f"{s}:{c}" in wanted):
        if (meta["speaker"], meta["utt"], meta["samples"]) != tuple(index[i][k] for k in ("speaker", "utt", "samples")):
            raise ValueError(f"row {i} differs from {args.index}")
        feats = logmel(torch.from_numpy(samples[:30 * SAMPLE_RATE].astype(np.float32))[None]).numpy()
        seconds += feats.shape[1] / 100
        for name, run in sessions.items():
            began = time.process_time()
            e = run.run(None, {"feats": feats})[0][0]
            spent[name] += time.process_time() - began
            if rows[name] is None:
                rows[name] = np.zeros((len(index), len(e)), np.float16)
            rows[name][i] = e / np.linalg.norm(e)
    Path(args.out).mkdir(parents=True, exist_ok=True)
    for name, table in rows.items():
        np.save(Path(args.out) / f"{name}.npy", table)
        print(json.dumps({"variant": name, "cpu_rtf": round(spent[name] / seconds, 5), "hours": round(seconds / 3600, 2)}), flush=True)


if __name__ == "__main__":
    main()
