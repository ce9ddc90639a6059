"""Evaluation audio as folders of WAV files, for the product's own commands (`voxgate bench accuracy`, `voxgate model calibrate`).

    python3 -m speaker.corpus --data DATA --set held --corpus cv --conditions clean,tel8k,noisy-any --out DIR

writes `DIR/speaker/NUMBER-CONDITION.wav` for the speakers of one corpus of a set; telephone conditions as 8 kHz files.
"""

from __future__ import annotations

import argparse
import wave
from pathlib import Path

import numpy as np
from scipy import signal

from common.packs import SAMPLE_RATE
from speaker.conditions import render


def write(file: Path, samples: np.ndarray, rate: int) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(file), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(samples.astype("<i2").tobytes())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--set", required=True, help="held, voxforge or cvev")
    parser.add_argument("--corpus", required=True, help="cv, so762, libri or gsc of the held-out speakers; else the set's name")
    parser.add_argument("--conditions", required=True)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    conditions = set(args.conditions.split(","))
    count = 0
    for _, entry, samples in render(args.data, lambda name, condition: name == args.set and condition in conditions):
        corpus, speaker = entry["speaker"].split("/", 1)
        if corpus != args.corpus:
            continue
        rate = SAMPLE_RATE
        if "tel8k" in entry["condition"]:
            rate = 8000
            samples = np.clip(np.round(signal.resample_poly(samples.astype(np.float64), 1, 2)), -32768, 32767)
        name = f"{entry['utt']}-{entry['condition']}.wav"
        write(Path(args.out) / speaker.replace("/", "_") / name, samples, rate)
        count += 1
    print(count, "files")


if __name__ == "__main__":
    main()
