"""Vectors that let another implementation prove itself equal: features and embeddings of formula-made audio.

    python3 -m speaker.parity --model model.onnx --out parity.json

The audio is generated, never stored: x[n] = round(6000 sin(2pi(f0 t + k t^2/2)) +
2500 sin(2pi 3 f0 t)(0.5 + 0.5 sin(2pi 3 t)) + A u), t = n/16000, where u = state/2^32 - 0.5 and
state = (1664525 state + 1013904223) mod 2^32, advanced once per sample before it is used.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import torch

from common.features import LogMel
from speaker.export import session

CASES = [
    {"name": "rising-chirp", "seconds": 2.0, "f0": 120.0, "k": 60.0, "A": 800.0, "seed": 1},
    {"name": "falling-chirp-noisy", "seconds": 3.0, "f0": 260.0, "k": -40.0, "A": 4000.0, "seed": 2},
    {"name": "steady-quiet-noise", "seconds": 1.5, "f0": 185.0, "k": 0.0, "A": 60.0, "seed": 3},
]
FRAMES = (0, 1, 57, 100)
GENERATOR = ("x[n]=round(6000*sin(2*pi*(f0*t+0.5*k*t*t))+2500*sin(2*pi*3*f0*t)*(0.5+0.5*sin(2*pi*3*t))+A*u), t=n/16000, "
             "state=(1664525*state+1013904223) mod 2^32 before each sample (state starts at seed), u=state/2^32-0.5, "
             "round half away from zero is never met; float64 arithmetic")


def generate(case: dict) -> np.ndarray:
    n = int(case["seconds"] * 16000)
    noise, state = np.empty(n), case["seed"]
    for i in range(n):
        state = (1664525 * state + 1013904223) % (1 << 32)
        noise[i] = state / 2 ** 32 - 0.5
    t = np.arange(n) / 16000
    x = 6000 * np.sin(2 * np.pi * (case["f0"] * t + 0.5 * case["k"] * t * t))
    x += 2500 * np.sin(2 * np.pi * 3 * case["f0"] * t) * (0.5 + 0.5 * np.sin(2 * np.pi * 3 * t))
    return np.round(x + case["A"] * noise)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", required=True)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    run = session(Path(args.model))
    plain = LogMel(mean_norm=False).double()
    plain.window, plain.mel = plain.window.double(), plain.mel.double()
    cases = []
    for case in CASES:
        x = generate(case)
        logmel = plain(torch.from_numpy(x)[None])[0].numpy()
        feats = (logmel - logmel.mean(0)).astype(np.float32)[None]
        e = run.run(None, {"feats": feats})[0][0].astype(np.float64)
        cases.append({**case, "sample_rate": 16000, "generator": GENERATOR, "first_samples": x[:8].astype(int).tolist(),
                      "frames": len(logmel), "logmel": {str(f): np.round(logmel[f], 5).tolist() for f in FRAMES},
                      "logmel_mean": np.round(logmel.mean(0), 5).tolist(),
                      "embedding": np.round(e / np.linalg.norm(e), 6).tolist(),
                      "tolerance": {"logmel": 1e-3, "embedding_cosine": 0.999}})
    Path(args.out).write_text(json.dumps({"cases": cases}, indent=None, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
