"""Evaluation audio: the dev sets and the held-out speakers under several conditions.

    python3 -m speaker.conditions --data DIR --out DIR

writes `audio.raw` (s16le) and `audio.json` (one entry per utterance and condition: set, condition,
speaker, samples, snr_db, narrow, utt). Every random draw is seeded by set, utterance and condition,
so the same files come out on every machine. `tel` and `noisy` are the definitions of the prototype's
table; `tel8k` really passes 8 kHz A-law; `noisy-new` uses only noise clips that training never saw.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import zlib
from pathlib import Path

import numpy as np
from scipy import signal

from common.packs import SAMPLE_RATE, load_folder
from speaker.data import HELD_OUT_NOISE, split

DEV_CONDITIONS = ["clean", "3s", "tel", "noisy", "tel8k", "noisy-new"]
HELD_CONDITIONS = ["clean", "short", "long", "tel8k", "tel8k-short", "noisy-any", "noisy-tel8k"]
COHORT_SPEAKERS = {"cv": 1900, "so762": 120, "libri": 210, "gsc": 80}
COHORT_SECONDS = 6.0


def snr_db(x: np.ndarray) -> float:
    """Speech-to-noise ratio from the spread of frame energies (see the model card)."""
    if len(x) < 400:
        return 0.0
    frames = np.lib.stride_tricks.sliding_window_view(x.astype(np.float64), 400)[::160]
    energy = ((frames - frames.mean(1, keepdims=True)) ** 2).mean(1)
    noise = np.percentile(energy, 10)
    speech = energy[energy >= np.median(energy)].mean()
    return float(np.clip(10 * np.log10(max(speech - noise, 1e-9) / max(noise, 1e-9)), -10, 60))


def mu_law(x: np.ndarray) -> np.ndarray:
    q = x / 32768
    c = np.round(np.sign(q) * np.log1p(255 * np.abs(q)) / np.log(256) * 127) / 127
    return np.sign(c) * (256 ** np.abs(c) - 1) / 255 * 32768


def a_law(x: np.ndarray) -> np.ndarray:
    a, la = 87.6, 1 + np.log(87.6)
    q = np.clip(x / 32768, -1, 1)
    m = np.abs(q)
    c = np.where(m < 1 / a, a * m / la, (1 + np.log(np.maximum(a * m, 1))) / la)
    c = (np.minimum(np.floor(c * 128), 127) + 0.5) / 128
    return np.sign(q) * np.where(c < 1 / la, c * la / a, np.exp(c * la - 1) / a) * 32768


BAND = signal.butter(6, [280, 3400], "band", fs=SAMPLE_RATE, output="sos")
BAND_8K = signal.butter(4, [250, 3450], "band", fs=8000, output="sos")


def telephone(x: np.ndarray) -> np.ndarray:
    return mu_law(signal.sosfilt(BAND, x.astype(np.float64)))


def telephone_8k(x: np.ndarray) -> np.ndarray:
    narrow = signal.resample_poly(x.astype(np.float64), 1, 2)
    coded = np.round(a_law(signal.sosfilt(BAND_8K, narrow)))
    return signal.resample_poly(coded, 2, 1)[:len(x)]


def add_noise(x: np.ndarray, noise: np.ndarray, db: float, rng: np.random.Generator) -> np.ndarray:
    start = rng.integers(0, len(noise) - len(x) - 1)
    n = noise[start:start + len(x)].astype(np.float64)
    level = lambda z: np.sqrt((z.astype(np.float64) ** 2).mean()) + 1e-3
    return x + n * level(x) / level(n) * 10 ** (-db / 20)


def any_noise(x: np.ndarray, noise: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    if rng.random() < 0.3:
        n = len(x)
        f = np.maximum(np.fft.rfftfreq(n, 1 / SAMPLE_RATE), 20) / 1000
        spectrum = np.fft.rfft(rng.standard_normal(n)) * f ** (-rng.uniform(0, 1))
        noise = np.fft.irfft(spectrum, n) * 1000
        noise = np.concatenate([noise, noise, noise])
    return add_noise(x, noise, rng.uniform(0, 20), rng)


def apply(condition: str, x: np.ndarray, rng: np.random.Generator, all_noise: np.ndarray, new_noise: np.ndarray) -> np.ndarray:
    if condition == "3s":
        return x[:3 * SAMPLE_RATE]
    if condition in ("short", "tel8k-short"):
        n = min(len(x), int(rng.uniform(1.2, 3.2) * SAMPLE_RATE))
        start = rng.integers(0, len(x) - n + 1)
        x = x[start:start + n]
        return telephone_8k(x) if condition == "tel8k-short" else x
    if condition == "tel":
        return telephone(x)
    if condition == "tel8k":
        return telephone_8k(x)
    if condition == "noisy":
        return add_noise(x, all_noise, 10, rng)
    if condition == "noisy-new":
        return add_noise(x, new_noise, 10, rng)
    if condition == "noisy-any":
        return any_noise(x, new_noise, rng)
    if condition == "noisy-tel8k":
        return telephone_8k(any_noise(x, new_noise, rng))
    return x


_jobs: list = []
_noise: tuple = ()


def _run(i: int) -> tuple[dict, np.ndarray]:
    name, condition, speaker, index, x = _jobs[i]
    rng = np.random.default_rng([zlib.crc32(name.encode()), index, zlib.crc32(condition.encode())])
    y = np.clip(np.round(apply(condition, x, rng, *_noise)), -32768, 32767).astype("<i2")
    meta = {"set": name, "condition": condition, "speaker": speaker, "utt": index, "samples": len(y),
            "snr_db": round(snr_db(y), 2), "narrow": "tel" in condition or "narrow" in condition}
    return meta, y


def held_out_utterances(held: dict) -> list[tuple[str, np.ndarray]]:
    """Single utterances; the one-word recordings are joined by four."""
    out = []
    for speaker, utterances in held.items():
        if utterances[0].corpus == "gsc":
            groups = [utterances[i:i + 4] for i in range(0, len(utterances) - 3, 4)]
            out += [(speaker, np.concatenate([u.samples for u in g])) for g in groups]
        else:
            out += [(speaker, u.samples) for u in utterances[:10] if u.seconds >= 1.0]
    return out


def collect(data: str, limit: int | None = None) -> None:
    packs = load_folder(data, limit)
    train, held = split(packs["train"])
    jobs = []
    for index, u in enumerate(packs["eval"]):
        jobs += [(u.corpus, c, u.speaker, index, u.samples) for c in DEV_CONDITIONS]
    for index, (speaker, x) in enumerate(held_out_utterances(held)):
        jobs += [("held", c, speaker, index, x) for c in HELD_CONDITIONS if c != "long"]
    index = 0
    for speaker, utterances in held.items():
        for i in range(0, len(utterances), 3):
            x = np.concatenate([u.samples for u in utterances[i:i + 3]])
            if len(x) >= 6 * SAMPLE_RATE:
                jobs.append(("held", "long", speaker, index, x[:30 * SAMPLE_RATE]))
                index += 1
    for corpus, count in COHORT_SPEAKERS.items():
        names = sorted(n for n, u in train.items() if u[0].corpus == corpus and sum(v.seconds for v in u) >= COHORT_SECONDS)
        for n in names[:: max(1, len(names) // count)][:count]:
            x = np.concatenate([u.samples for u in train[n]])[:12 * SAMPLE_RATE]
            jobs += [("cohort", c, n, 0, x) for c in ("clean", "tel8k")]
    global _jobs, _noise
    _jobs = jobs
    clips = [u.samples for u in packs["noise"]]
    _noise = (np.concatenate(clips), np.concatenate(clips[-HELD_OUT_NOISE:]))


def render(data: str, wanted) -> list[tuple[int, dict, np.ndarray]]:
    """Audio in memory for the entries that `wanted(set, condition)` accepts: (row of audio.json, entry, samples)."""
    collect(data)
    rows = [i for i, job in enumerate(_jobs) if wanted(job[0], job[1])]
    return [(i, *_run(i)) for i in rows]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    args = parser.parse_args()
    collect(args.data, args.limit)
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    index = []
    with multiprocessing.get_context("fork").Pool(args.workers) as pool, open(out / "audio.raw", "wb") as raw:
        for meta, samples in pool.imap(_run, range(len(_jobs)), chunksize=32):
            index.append(meta)
            raw.write(samples.tobytes())
    (out / "audio.json").write_text(json.dumps(index))
    print(len(index), "utterances", flush=True)


if __name__ == "__main__":
    main()
