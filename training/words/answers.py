"""Owns answers to prompts, made from isolated digits: joined with gaps or overlap, with other speech before and after, over rooms, noise, levels and telephone coders.

`Answers(PACKS, LIBS)` reads the decoded packs (../decode.sh) and the coders (../codecs/build.sh). An answer is samples (int16, 16 kHz), labels
(0 to 9, FILLER for any run of other speech) and the spans of its digits in samples.
"""
from pathlib import Path
import sys

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))
from common.packs import load_pack
from speaker.phone import Phone, convolve, down, mulaw, up

FILLER = 10
RATE = 16000


def wav(path):
    import scipy.io.wavfile as w
    rate, x = w.read(path)
    x = (x if x.ndim == 1 else x[:, 0]).astype(np.float64)
    return x / (np.abs(x).max() + 1e-9)


def trimmed(x, floor=0.02):
    """Without the silence around a digit, all but 20 ms."""
    x = x.astype(np.float64)
    e = np.sqrt(np.convolve(x ** 2, np.ones(160) / 160, "same"))
    on = np.flatnonzero(e > floor * e.max())
    return x[max(0, on[0] - 320):on[-1] + 320]


def resampled(x, rate):
    """Faster and higher, or slower and deeper."""
    at = np.arange(0, len(x) - 1, rate)
    return np.interp(at, np.arange(len(x)), x)


def stretched(x, rate):
    """Faster or slower at the same pitch: overlapping pieces, each put where it fits best."""
    n, hop, seek = 480, 240, 120
    w = np.hanning(n + 1)[:-1]
    out, at, y = np.zeros(int(len(x) / rate) + 2 * n), 0, 0.0
    x = np.pad(x, (0, n + seek))
    while y + n + seek < len(x) and at + n < len(out):
        lo = max(0, int(y) - seek); best = int(y)
        if at:
            tail = out[at:at + hop]
            scores = [tail @ x[c:c + hop] for c in range(lo, int(y) + seek, 8)]
            best = lo + 8 * int(np.argmax(scores))
        out[at:at + n] += w * x[best:best + n]
        at += hop; y += hop * rate
    return out[:at + hop]


class Answers:
    def __init__(self, packs, libs, filler=("librispeech", "speechocean762", "commonvoice-0"), noises=("places", "esc10")):
        packs = Path(packs)
        self.digits = {}
        for u in load_pack(packs / "digits")[1]:
            speaker, digit = u.speaker.split("/")[1].split(":")
            self.digits.setdefault(speaker, {}).setdefault(int(digit), []).append(trimmed(u.samples))
        self.speakers = sorted(self.digits)
        self.other = [u.samples for name in filler for u in load_pack(packs / name)[1] if len(u.samples) > RATE]
        self.noise = np.concatenate([u.samples for name in noises for u in load_pack(packs / name)[1]])
        self.phone = Phone(libs, self.noise, [wav(p) for p in sorted((packs / "rooms").glob("*.wav"))])

    def piece(self, rng, seconds):
        """Other speech of about that length."""
        x = self.other[rng.integers(len(self.other))]
        n = min(len(x), int(seconds * RATE)); at = rng.integers(len(x) - n + 1)
        x = x[at:at + n].astype(np.float64)
        return x / (np.sqrt((x ** 2).mean()) + 1)

    def said(self, rng, speaker, digits, plain=False):
        """Each digit as one recording of the speaker, all changed in speed and pitch alike, levels nearly alike."""
        speed, pitch = (1, 1) if plain else (rng.uniform(0.8, 1.5), rng.uniform(0.92, 1.08))
        out = []
        for d in digits:
            takes = self.digits[speaker][d]
            x = takes[rng.integers(len(takes))]
            x = x / (np.sqrt((x ** 2).mean()) + 1)
            if not plain:
                if rng.random() < 0.6:
                    x = resampled(x, pitch)
                if rng.random() < 0.6:
                    x = stretched(x, speed * rng.uniform(0.92, 1.08))
                x = x * 10 ** (rng.uniform(-4, 4) / 20)
            out.append(x)
        return out

    def joined(self, rng, parts, pace=None):
        """Parts (samples, label) one after another: at a quick, a usual or a slow pace, gaps of that pace; quick ones overlap."""
        low, high = ((-0.09, 0.05), (0.02, 0.25), (0.2, 0.8))[rng.integers(3) if pace is None else pace]
        lead, tail = rng.uniform(0.05, 0.7), rng.uniform(0.05, 0.7)
        at, places, end = int(lead * RATE), [], 0
        for x, _ in parts:
            places.append(at); end = at + len(x)
            at = end + int(rng.uniform(low, high) * RATE)
        out = np.zeros(max(end, at) + int(tail * RATE))
        for (x, _), p in zip(parts, places):
            x = x.copy(); k = min(160, len(x) // 4); ramp = np.linspace(0, 1, k)
            x[:k] *= ramp; x[-k:] *= ramp[::-1]
            out[p:p + len(x)] += x
        labels, spans = [], []
        for (x, label), p in zip(parts, places):
            if label != FILLER or not labels or labels[-1] != FILLER:
                labels.append(label)
                spans.append((p, p + len(x)) if label != FILLER else None)
        return out, labels, spans

    def through(self, rng, x, way=None):
        """Over a telephone with all its troubles, over plain 8 kHz mu-law, or as a microphone hears it."""
        way = way or rng.choice(["phone", "mulaw", "wide"], p=[0.6, 0.2, 0.2])
        x = x / (np.abs(x).max() + 1e-9) * 20000 * 10 ** (-rng.uniform(0, 20) / 20)
        x = x + rng.normal(0, 10 ** rng.uniform(-0.5, 1.5), len(x))
        if way == "phone":
            return self.phone(np.clip(x, -32768, 32767).astype(np.int16), rng)
        if way == "wide" and rng.random() < 0.5 and len(self.noise) > len(x):
            at = rng.integers(len(self.noise) - len(x)); v = self.noise[at:at + len(x)].astype(np.float64)
            x = x + v * (np.sqrt((x ** 2).mean()) + 1) / (np.sqrt((v ** 2).mean()) + 1) * 10 ** (-rng.uniform(8, 35) / 20)
        if way == "mulaw":
            x = up(mulaw(down(x)), len(x))
        return np.clip(np.round(x), -32768, 32767).astype(np.int16)

    def answer(self, rng, speaker, digits, plain=False, before=0.0, after=0.0, way=None, behind=None):
        parts = [(x, d) for x, d in zip(self.said(rng, speaker, digits, plain), digits)]
        if before:
            parts.insert(0, (self.piece(rng, before), FILLER))
        if after:
            parts.append((self.piece(rng, after), FILLER))
        x, labels, spans = self.joined(rng, parts)
        if behind is not None:  # somebody else, that many decibels below
            y = self.piece(rng, len(x) / RATE); x[:len(y)] += y * np.sqrt((x ** 2).mean()) * 10 ** (-behind / 20)
        return self.through(rng, x, way), labels, spans

    def drawn(self, rng, speaker):
        """A random answer for training."""
        kind = rng.random()
        digits = [int(d) for d in rng.integers(0, 10, rng.integers(3, 7))]
        if kind < 0.70:
            return self.answer(rng, speaker, digits, behind=rng.uniform(12, 30) if rng.random() < 0.15 else None)
        if kind < 0.85:
            edge = lambda: rng.uniform(0.4, 2) if rng.random() < 0.6 else 0.0
            return self.answer(rng, speaker, digits[:4], before=edge(), after=edge())
        if kind < 0.96:
            x, labels, spans = self.joined(rng, [(self.piece(rng, rng.uniform(1, 4)), FILLER)])
            return self.through(rng, x), labels, spans
        return self.through(rng, np.zeros(int(rng.uniform(1, 4) * RATE))), [], []
