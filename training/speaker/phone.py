"""Speech as it arrives over telephones: rooms, places, noise suppression, real speech coders in tandem, lost packets.

`Phone(libs, noise, rooms)(samples, rng)` takes and returns int16 at 16 kHz; numpy alone, one utterance at a time. Half of the calls are
ordinary ones (a handset near the mouth, little noise, coders at their usual rates), half are bad ones.
"""
import ctypes
from pathlib import Path
import numpy as np


def fir(cut, taps, rate):
    n = np.arange(taps) - (taps - 1) / 2
    return 2 * cut / rate * np.sinc(2 * cut / rate * n) * np.kaiser(taps, 8.0)


HALF = fir(3850.0, 127, 16000)


def convolve(x, h):
    n = len(x) + len(h) - 1
    size = 1 << (n - 1).bit_length()
    return np.fft.irfft(np.fft.rfft(x, size) * np.fft.rfft(h, size), size)[:n]


def down(x):
    return convolve(x, HALF)[63:63 + len(x)][::2]


def up(x, count):
    y = np.zeros(2 * len(x)); y[::2] = 2 * x
    y = convolve(y, HALF)[63:63 + len(y)]
    return y[:count] if len(y) >= count else np.pad(y, (0, count - len(y)))


def mulaw(x):
    q = np.clip(x / 32768, -1, 1)
    c = np.round(np.sign(q) * np.log1p(255 * np.abs(q)) / np.log(256) * 127) / 127
    return np.sign(c) * (256 ** np.abs(c) - 1) / 255 * 32768


def alaw(x):
    q = np.clip(x / 32768, -1, 1); a, la, m = 87.6, 1 + np.log(87.6), np.abs(q)
    c = np.where(m < 1 / a, a * m / la, (1 + np.log(np.maximum(a * m, 1))) / la)
    c = (np.minimum(np.floor(c * 128), 127) + 0.5) / 128
    return np.sign(q) * np.where(c < 1 / la, c * la / a, np.exp(c * la - 1) / a) * 32768


def suppress(x, rng):
    n, hop = 256, 128
    w = np.hanning(n + 1)[:-1]
    pad = np.pad(x, (n, n))
    frames = np.lib.stride_tricks.sliding_window_view(pad, n)[::hop] * w
    s = np.fft.rfft(frames); p = np.abs(s) ** 2
    floor = np.quantile(p, 0.2, axis=0) * rng.uniform(1.5, 6)
    g = np.sqrt(np.maximum(1 - floor / np.maximum(p, 1e-3), 10 ** (rng.uniform(-24, -8) / 10)))
    y = np.zeros(len(pad) + n)
    for i, f in enumerate(np.fft.irfft(s * g, n)):
        y[i * hop:i * hop + n] += f
    return y[n:n + len(x)]


class Phone:
    def __init__(self, libs, noise, rooms):
        self.codecs = {p.stem: ctypes.CDLL(str(p)).roundtrip for p in sorted(Path(libs).glob("*.so"))}
        self.noise, self.rooms = noise, rooms

    def code(self, name, x, mode, lost):
        n = -(-len(x) // 160) * 160 + 320
        data = np.zeros(n, np.int16); data[:len(x)] = np.clip(np.round(x), -32768, 32767)
        out = np.zeros(n, np.int16)
        p = lambda a, t: a.ctypes.data_as(ctypes.POINTER(t))
        delay = self.codecs[name](p(data, ctypes.c_short), n, p(out, ctypes.c_short), mode, p(lost, ctypes.c_ubyte))
        return out[delay:delay + len(x)].astype(np.float64)

    def lost(self, count, rng, most):
        if rng.random() > 0.35:
            return np.zeros(count + 8, np.uint8)
        rate, stay = rng.uniform(0, most), rng.uniform(0, 0.5)
        out = np.zeros(count + 8, np.uint8); bad = False
        for i, u in enumerate(rng.random(count + 8)):
            bad = u < (stay if bad else rate); out[i] = bad
        return out

    def __call__(self, samples, rng):
        x = samples.astype(np.float64)
        level = np.sqrt((x ** 2).mean()) + 1
        bad = rng.random() < 0.5
        if rng.random() < (0.6 if bad else 0.25) and self.rooms:
            h = self.rooms[rng.integers(len(self.rooms))].copy()
            at = int(np.argmax(np.abs(h))); h = h[max(0, at - 16):]
            h = h * np.exp(-np.arange(len(h)) / 16000 / rng.uniform(0.03, 0.4 if bad else 0.15))  # a room shorter than the hall it was measured in
            h[min(16, at):][:1] *= rng.uniform(1, 6) if bad else rng.uniform(4, 12)  # and a mouth nearer to the microphone
            y = convolve(x, h)[min(16, at):][:len(x)]
            x = y * level / (np.sqrt((y ** 2).mean()) + 1e-9)
        if rng.random() < (0.8 if bad else 0.5) and len(self.noise) > len(x):
            at = rng.integers(len(self.noise) - len(x)); v = self.noise[at:at + len(x)].astype(np.float64)
            x = x + v * level / (np.sqrt((v ** 2).mean()) + 1) * 10 ** (-(rng.uniform(3, 22) if bad else rng.uniform(15, 38)) / 20)
        y = down(x)
        f = np.fft.rfftfreq(len(y), 1 / 8000)
        low, high = rng.choice([0, rng.uniform(60, 320)], p=[0.3, 0.7]), rng.uniform(3200, 3950)
        gain = 1 / (1 + np.exp(-(f - low) / 20)) if low else np.ones(len(f))
        gain = gain / (1 + np.exp((f - high) / 40))
        octave = np.log2((f + 150) / 1000)
        db = rng.uniform(-5, 5) * octave + rng.uniform(0, 4) * np.sin(2 * np.pi * (rng.uniform(0.2, 1) * octave + rng.random()))
        y = np.fft.irfft(np.fft.rfft(y) * gain * 10 ** (db / 20), len(y))
        if rng.random() < 0.3:
            y = suppress(y, rng)
        if rng.random() < 0.1:  # the caller's own echo, late and weak
            d = int(8000 * rng.uniform(0.03, 0.25)); e = np.zeros_like(y); e[d:] = y[:-d] if d < len(y) else 0; y = y + e * 10 ** (-rng.uniform(14, 30) / 20)
        y = y / (np.abs(y).max() + 1) * 32768 * 10 ** (-rng.uniform(1, 24) / 20)
        if rng.random() < (0.12 if bad else 0.03):
            y = np.clip(y * rng.uniform(1.5, 5), -26000, 26000)
        hops = [n for n in ("amr", "amr", "gsm", "g729", "speex", "opus", "opus") if n in self.codecs]
        chain = [hops[rng.integers(len(hops))]] if hops and rng.random() < (0.9 if bad else 0.6) else []
        if chain and rng.random() < (0.3 if bad else 0.05):
            chain.append(hops[rng.integers(len(hops))])
        for name in chain:
            mode = {"amr": int(rng.integers(0 if bad else 4, 8)) + 8 * int(rng.random() < 0.3), "speex": int(rng.integers(2 if bad else 5, 9)),
                    "opus": int(rng.uniform(6000, 16000) if bad else rng.uniform(12000, 24000))}.get(name, 0)
            y = self.code(name, y, mode, self.lost(len(y) // 160, rng, 0.07 if bad else 0.02))
        last = rng.random()
        y = mulaw(y) if last < 0.55 else alaw(y) if last < 0.8 else y
        return np.clip(np.round(up(y, len(samples))), -32768, 32767).astype(np.int16)
