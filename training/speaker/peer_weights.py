"""The weights of the peer (a Kaldi x-vector network) as one .npz file for speaker.xvector.

    python3 -m speaker.peer_weights FOLDER peer.npz      # FOLDER: final.ext.raw, mean.vec, transform.mat

Nothing of the peer is part of this project; the file serves as a teacher while training.
"""

from __future__ import annotations

import math
import struct
import sys
from pathlib import Path

import numpy as np

TAPS = (5, 3, 3, 1, 1)
CEPSTRA, FRAME, FFT_SIZE = 23, 200, 256


class Reader:
    def __init__(self, data: bytes, at: int = 2):
        self.data, self.at = data, at

    def token(self) -> str:
        start = self.at
        while self.data[self.at] not in b" \n":
            self.at += 1
        self.at += 1
        return self.data[start:self.at - 1].decode("latin1")

    def line(self) -> str:
        end = self.data.index(b"\n", self.at)
        text, self.at = self.data[self.at:end].decode(), end + 1
        return text

    def integer(self) -> int:
        value = struct.unpack_from("<i", self.data, self.at + 1)[0]
        self.at += 5
        return value

    def value(self):
        """A vector, a matrix, a number or a flag, told apart by how it begins."""
        head = self.data[self.at:self.at + 3]
        if head in (b"FV ", b"DV ", b"FM ", b"DM "):
            self.at += 3
            shape = [self.integer() for _ in range(1 if head[1:2] == b"V" else 2)]
            out = np.frombuffer(self.data, "<f4" if head[:1] == b"F" else "<f8", math.prod(shape), self.at)
            self.at += out.nbytes
            return out.reshape(shape).astype(np.float32)
        size = head[0]
        if size in (4, 8):
            value = struct.unpack_from("<f" if size == 4 else "<d", self.data, self.at + 1)[0]
            self.at += 1 + size
            return value
        if head[:1] in (b"T", b"F") and head[1:2] == b"<":
            self.at += 1
            return head[:1] == b"T"
        return None


def network(data: bytes) -> dict[str, dict]:
    reader = Reader(data)
    assert reader.token() == "<Nnet3>"
    reader.line()
    while reader.line().strip():
        pass
    assert reader.token() == "<NumComponents>"
    parts: dict[str, dict] = {}
    for _ in range(reader.integer()):
        assert reader.token() == "<ComponentName>"
        name, end = reader.token(), "</" + reader.token()[1:]
        parts[name] = {}
        while (token := reader.token()) != end:
            parts[name][token] = reader.value()
    return parts


def mel_matrix() -> np.ndarray:
    mel = lambda f: 1127.0 * math.log(1.0 + f / 700.0)
    low, high = mel(20.0), mel(3700.0)
    step = (high - low) / (CEPSTRA + 1)
    out = np.zeros((CEPSTRA, FFT_SIZE // 2 + 1), np.float32)
    for i in range(CEPSTRA):
        left, centre, right = (low + (i + k) * step for k in range(3))
        for k in range(FFT_SIZE // 2):
            m = mel(8000 / FFT_SIZE * k)
            if left < m < right:
                out[i, k] = (m - left) / (centre - left) if m <= centre else (right - m) / (right - centre)
    return out


def main() -> None:
    folder, target = Path(sys.argv[1]), sys.argv[2]
    parts = network((folder / "final.ext.raw").read_bytes())
    out: dict[str, np.ndarray] = {}
    for i, taps in enumerate(TAPS):
        affine, norm = parts[f"tdnn{i + 1}.affine"], parts[f"tdnn{i + 1}.batchnorm"]
        weight = affine["<LinearParams>"]
        out[f"w{i}"] = weight.reshape(len(weight), taps, -1).transpose(0, 2, 1).astype(np.float16)
        out[f"b{i}"], out[f"m{i}"] = affine["<BiasParams>"], norm["<StatsMean>"]
        out[f"s{i}"] = 1 / np.sqrt(norm["<StatsVar>"] + norm["<Epsilon>"])
    out["w5"], out["b5"] = parts["tdnn6.affine"]["<LinearParams>"].astype(np.float16), parts["tdnn6.affine"]["<BiasParams>"]
    out["mean"] = np.array((folder / "mean.vec").read_text().strip().strip("[]").split(), np.float32)
    out["T"] = Reader((folder / "transform.mat").read_bytes()).value()
    k, n = np.arange(CEPSTRA), np.arange(FRAME)
    out["mel"], out["lift"] = mel_matrix(), (1 + 11 * np.sin(np.pi * k / 22)).astype(np.float32)
    dct = np.sqrt(2 / CEPSTRA) * np.cos(np.pi / CEPSTRA * (k[None] + 0.5) * k[:, None])
    dct[0] = math.sqrt(1 / CEPSTRA)
    out["dct"] = dct.astype(np.float32)
    out["win"] = ((0.5 - 0.5 * np.cos(2 * np.pi * n / (FRAME - 1))) ** 0.85).astype(np.float32)
    np.savez(target, **out)


if __name__ == "__main__":
    main()
