"""Writes the detector as plain little-endian floats (layout read by src/voice/speech/speech-model.ts), batch norms folded in.

usage: export.py IN.pt OUT.bin PARITY.json
"""
import json
import struct
import sys
import numpy as np
import torch
from model import CHANNELS, DILATIONS, MEL, Detector, logmel

net = Detector()
net.load_state_dict(torch.load(sys.argv[1]))
net.eval()


def fold(conv, norm):
    g = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    w = conv.weight * g[:, None, None]
    b = (conv.bias - norm.running_mean) * g + norm.bias
    return w.permute(2, 1, 0).contiguous(), b  # [tap][in][out]


parts = [net.mean, 1 / net.std]
with torch.no_grad():
    for conv, norm in zip([net.first, *net.blocks], net.norms):
        parts += fold(conv, norm)
    parts += [net.last.weight[0, :, 0], net.last.bias]
    with open(sys.argv[2], "wb") as f:
        f.write(struct.pack("<IIIII", 0x44564756, 1, MEL, CHANNELS, len(DILATIONS)))
        f.write(struct.pack(f"<{len(DILATIONS)}I", *DILATIONS))
        for p in parts:
            f.write(p.detach().numpy().astype("<f4").tobytes())

    # A signal that both sides can make: the generator of the speaker model's parity file.
    state, n = 12345, 16000 * 6
    u = np.empty(n)
    for i in range(n):
        state = (1664525 * state + 1013904223) % 2 ** 32
        u[i] = state / 2 ** 32 - 0.5
    t = np.arange(n) / 16000
    x = np.round(6000 * np.sin(2 * np.pi * (120 * t + 0.5 * 5 * t * t)) * (t > 2) + 2500 * np.sin(2 * np.pi * 360 * t) * (0.5 + 0.5 * np.sin(2 * np.pi * 3 * t)) + 800 * u)
    p = torch.sigmoid(net(logmel(torch.from_numpy(x.astype(np.float32))[None]))[0])
    json.dump({"generator": "x[n] = round(6000 sin(2pi(120t + 2.5tt)) [t>2] + 2500 sin(2pi 360 t)(0.5 + 0.5 sin(2pi 3 t)) + 800 u), LCG seed 12345",
               "seconds": 6, "tolerance": 1e-3, "probability": [round(float(v), 6) for v in p]}, open(sys.argv[3], "w"))
