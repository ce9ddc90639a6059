"""Owns parity.json: expected scores for signals made by formula, so that a serving side can prove itself without stored audio.

Usage: parity.py MODEL.onnx OUT.json
"""
import json
import sys

import numpy as np
import onnxruntime as ort

N, SR = 64000, 16000


def chirp(A, f0, f1):
    t, T = np.arange(N) / SR, N / SR
    return A * np.sin(2 * np.pi * (f0 * t + (f1 - f0) * t * t / (2 * T)))


def noise(A, seed):
    out, s = np.empty(N), seed
    for i in range(N):
        s = (s * 1664525 + 1013904223) % 4294967296
        out[i] = A * (s / 2147483648 - 1)
    return out


def voiced(A, f0, noise_A, seed):
    t = np.arange(N) / SR
    x = sum(A / h * np.sin(2 * np.pi * h * f0 * t + h * h * 0.1) for h in range(1, 21))
    return x * (0.5 + 0.5 * np.sin(2 * np.pi * 3 * t)) + noise(noise_A, seed)


CASES = [
    ("chirp", {"A": 8000, "f0": 100, "f1": 7000}, lambda p: chirp(p["A"], p["f0"], p["f1"])),
    ("noise", {"A": 3000, "seed": 12345}, lambda p: noise(p["A"], p["seed"])),
    ("mix", {"A": 6000, "f0": 200, "f1": 3800, "noise_A": 500, "seed": 7}, lambda p: chirp(p["A"], p["f0"], p["f1"]) + noise(p["noise_A"], p["seed"])),
    ("voiced", {"A": 5000, "f0": 120, "noise_A": 60, "seed": 99}, lambda p: voiced(p["A"], p["f0"], p["noise_A"], p["seed"])),
    ("voiced", {"A": 300, "f0": 210, "noise_A": 20, "seed": 3}, lambda p: voiced(p["A"], p["f0"], p["noise_A"], p["seed"])),
]

if __name__ == "__main__":
    net = ort.InferenceSession(sys.argv[1])
    cases = []
    for formula, params, make in CASES:
        x = make(params).astype(np.float32)
        cases.append({"formula": formula, "params": params, "samples": N, "first": [round(float(v), 4) for v in x[:4]], "score": round(float(net.run(None, {"wave": x[None]})[0][0]), 5)})
    json.dump({"sample_rate": SR, "tolerance": 0.01, "cases": cases}, open(sys.argv[2], "w"), indent=2)
    print([c["score"] for c in cases])
