"""Training clips for the speech detector: speech in gaps, noise, music, tones, telephone channels; all made on the fly.

Speech comes from unpacked packs (s16le, X.raw + X.json) with the teacher's frame probabilities (X.u8, 32 ms each, made by
label-with-silero.mjs). Every fifth ESC-10 clip is held out for the evaluation.
"""
import json
import numpy as np

SR = 16000


class Speech:
    def __init__(self, raw, meta, labels, limit=None):
        self.pcm = np.memmap(raw, dtype=np.int16, mode="r")
        utts = json.load(open(meta))["utts"]
        if limit:
            utts = utts[:limit]
        lab = np.fromfile(labels, dtype=np.uint8)
        self.items, at, lat = [], 0, 0
        for _, n in utts:
            f = n // 512
            self.items.append((at, n, lab[lat:lat + f]))
            at += n
            lat += f

    def get(self, i, rng, most):
        at, n, lab = self.items[i]
        x = np.asarray(self.pcm[at:at + n], dtype=np.float32) / 32768
        y = np.repeat(lab.astype(np.float32) / 255, 512)
        if len(y) < n:
            y = np.concatenate([y, np.full(n - len(y), y[-1] if len(y) else 0, np.float32)])
        if n > most:
            s = rng.integers(0, n - most)
            x, y = x[s:s + most], y[s:s + most]
        return x, y


def esc10(raw, held_out):
    pcm = np.memmap(raw, dtype=np.int16, mode="r")
    clips = len(pcm) // 80000
    return [np.asarray(pcm[i * 80000:(i + 1) * 80000], dtype=np.float32) / 32768 for i in range(clips) if (i % 5 == 4) == held_out]


def colored(rng, n, slope):
    f = np.fft.rfft(rng.standard_normal(n))
    k = np.arange(len(f), dtype=np.float64)
    k[0] = 1
    x = np.fft.irfft(f * k ** (-slope / 2), n)
    return (x / (np.std(x) + 1e-9)).astype(np.float32)


def speech_shaped(rng, n):
    """Noise with the long-term spectrum of speech and its 2-8 Hz envelope: everything but a voice."""
    x = colored(rng, n, rng.uniform(0.8, 2.2))
    t = np.arange(n) / SR
    env = np.ones(n)
    for _ in range(3):
        env *= 0.55 + 0.45 * np.sin(2 * np.pi * rng.uniform(1.5, 8) * t + rng.uniform(0, 6.3))
    return (x * env).astype(np.float32)


def tones(rng, n):
    t = np.arange(n) / SR
    kind = rng.integers(0, 8)
    x = np.zeros(n)
    if kind == 0:  # steady tones
        for _ in range(rng.integers(1, 4)):
            x += rng.uniform(0.2, 1) * np.sin(2 * np.pi * rng.uniform(60, 3800) * t)
    elif kind == 1:  # DTMF with pauses
        row, col = [697, 770, 852, 941], [1209, 1336, 1477, 1633]
        on, at = rng.uniform(0.05, 0.3), 0
        while at < n:
            m = int(on * SR)
            seg = t[:min(m, n - at)]
            x[at:at + len(seg)] = np.sin(2 * np.pi * rng.choice(row) * seg) + np.sin(2 * np.pi * rng.choice(col) * seg)
            at += m + int(rng.uniform(0.05, 0.4) * SR)
    elif kind == 2:  # ring back, busy, dial tones
        a, b = [(440, 480), (425, 425), (350, 440), (480, 620), (400, 450)][rng.integers(0, 5)]
        on, off = [(2, 4), (1, 4), (0.5, 0.5), (0.25, 0.25), (0.4, 0.2), (9, 0)][rng.integers(0, 6)]
        gate = ((t + rng.uniform(0, 4)) % (on + off + 1e-9)) < on
        x = (np.sin(2 * np.pi * a * t) + np.sin(2 * np.pi * b * t)) * gate
    elif kind == 3:  # siren, sweeps
        f = rng.uniform(400, 1200) * (1 + rng.uniform(0.1, 0.6) * np.sin(2 * np.pi * rng.uniform(0.2, 6) * t))
        x = np.sin(2 * np.pi * np.cumsum(f) / SR)
        if rng.random() < 0.5:
            x = np.sign(x) * 0.5
    elif kind == 4:  # harmonic buzz with vibrato and a fixed resonance: machine, horn, hummed organ
        f = rng.uniform(70, 400) * (1 + 0.02 * np.sin(2 * np.pi * rng.uniform(3, 7) * t))
        p = 2 * np.pi * np.cumsum(f) / SR
        for h in range(1, 25):
            x += np.sin(h * p) / h ** rng.uniform(0.7, 1.6)
        if rng.random() < 0.5:
            x *= 0.5 + 0.5 * np.sign(np.sin(2 * np.pi * rng.uniform(0.3, 4) * t))
    elif kind == 5:  # fax and modem
        bits = rng.integers(0, 2, n // 53 + 1).repeat(53)[:n]
        x = np.sin(2 * np.pi * np.cumsum(np.where(bits, 1300, 2100)) / SR)
    elif kind == 6:  # clicks, taps
        for at in rng.integers(0, n - 800, rng.integers(5, 80)):
            x[at:at + 800] += rng.uniform(0.2, 1) * np.exp(-np.arange(800) / rng.uniform(10, 200)) * rng.standard_normal(800)
    else:  # alarm beeps
        f = rng.uniform(500, 3500)
        x = np.sin(2 * np.pi * f * t) * (np.sin(2 * np.pi * rng.uniform(0.5, 8) * t) > rng.uniform(-0.5, 0.8))
    return (x / (np.max(np.abs(x)) + 1e-9)).astype(np.float32)


def music(rng, n):
    """Notes of plucked, bowed, blown and struck sounds in a scale, chords, bass, drums."""
    x = np.zeros(n + 12 * SR)
    tempo = rng.uniform(0.12, 0.7)
    root = rng.uniform(45, 110)
    scale = np.array([0, 2, 4, 5, 7, 9, 11] if rng.random() < 0.5 else [0, 3, 5, 7, 10])
    voices = rng.integers(1, 4)
    for v in range(voices):
        at = 0.0
        octave = rng.integers(0, 4)
        partials = rng.integers(1, 16)
        roll = rng.uniform(0.6, 2.5)
        style = rng.integers(0, 4)
        step = tempo * rng.choice([0.5, 1, 2, 4])
        while at < n / SR:
            length = step * rng.uniform(0.8, 2.5)
            m = int(length * SR)
            t = np.arange(m) / SR
            chord = [0] if rng.random() < 0.6 else [0, 4, 7]
            for c in chord:
                f0 = root * 2 ** (octave + (rng.choice(scale) + c) / 12)
                vib = 1 + (0.008 * np.sin(2 * np.pi * 5.5 * t) if style == 1 else 0)
                p = 2 * np.pi * np.cumsum(np.full(m, f0) * vib) / SR
                note = sum(np.sin(h * p) / h ** roll for h in range(1, partials + 1) if h * f0 < 7500)
                if isinstance(note, int):
                    continue
                if style in (0, 3):
                    env = np.exp(-t / rng.uniform(0.1, 0.8))
                else:
                    env = np.minimum(1, t / 0.05) * np.minimum(1, (length - t) / 0.08)
                i = int(at * SR)
                x[i:i + m] += note * np.clip(env, 0, 1) * rng.uniform(0.3, 1)
            at += step if rng.random() < 0.85 else 2 * step
    if rng.random() < 0.6:
        for i in np.arange(0, n, int(tempo * SR)):
            m = int(0.15 * SR)
            t = np.arange(m) / SR
            if rng.random() < 0.5:
                x[i:i + m] += 1.5 * np.exp(-t / 0.05) * np.sin(2 * np.pi * 60 * t)
            else:
                x[i:i + m] += 0.6 * np.exp(-t / rng.uniform(0.01, 0.06)) * rng.standard_normal(m)
    x = x[:n]
    return (x / (np.max(np.abs(x)) + 1e-9)).astype(np.float32)


def fit(x, n, rng):
    if len(x) < n:
        x = np.tile(x, n // len(x) + 1)
    s = rng.integers(0, len(x) - n + 1)
    return x[s:s + n]


def noise(rng, n, esc):
    k = rng.random()
    if k < 0.42:
        return fit(esc[rng.integers(len(esc))], n, rng)
    if k < 0.6:
        return colored(rng, n, rng.uniform(-0.3, 2.2))
    if k < 0.72:
        return speech_shaped(rng, n)
    if k < 0.88:
        return music(rng, n)
    return tones(rng, n)


def mulaw(x):
    y = np.sign(x) * np.log1p(255 * np.abs(np.clip(x, -1, 1))) / np.log(256)
    y = np.round(y * 127.5) / 127.5
    return np.sign(y) * (np.power(256, np.abs(y)) - 1) / 255


def telephone(x, rng):
    n = len(x)
    f = np.fft.rfft(x)
    hz = np.arange(len(f)) * SR / n
    low, high = rng.uniform(0, 320), rng.uniform(3200, 3900)
    f = f * (1 / (1 + np.exp(-(hz - low) / 25))) * (1 / (1 + np.exp((hz - high) / 30)))
    y = np.fft.irfft(f[:n // 4 + 1], n // 2) / 2
    if rng.random() < 0.7:
        y = mulaw(y)
    g = np.zeros(n // 2 + 1, dtype=complex)
    h = np.fft.rfft(y)
    g[:len(h)] = h
    g[n // 4] *= 0.5
    return np.fft.irfft(g, n).astype(np.float32) * 2


def rms(x):
    return float(np.sqrt(np.mean(x * x) + 1e-12))


def clip(rng, speech_sets, esc, seconds):
    n = int(seconds * SR)
    y = np.zeros(n, np.float32)
    if rng.random() < 0.35:
        x = noise(rng, n, esc)
        if rng.random() < 0.3:
            x = x / (rms(x) + 1e-9) + noise(rng, n, esc) * rng.uniform(0.1, 1)
        if rng.random() < 0.08:
            x = np.zeros(n, np.float32)
    else:
        x = np.zeros(n, np.float32)
        at = int(rng.uniform(0, 1.5) * SR) if rng.random() < 0.7 else 0
        while at < n:
            s = speech_sets[rng.integers(len(speech_sets))]
            u, l = s.get(rng.integers(len(s.items)), rng, 6 * SR)
            u = u / (rms(u) + 1e-6) * 0.05 * 10 ** (rng.uniform(-6, 6) / 20)
            m = min(len(u), n - at)
            x[at:at + m] = u[:m]
            y[at:at + m] = l[:m]
            at += m + (int(rng.uniform(0.1, 2.5) * SR) if rng.random() < 0.8 else 0)
        if rng.random() < 0.25:
            ir = rng.standard_normal(int(0.25 * SR)) * np.exp(-np.arange(int(0.25 * SR)) / (rng.uniform(0.03, 0.12) * SR))
            ir[0] = rng.uniform(3, 20)
            m = n + len(ir)
            x = np.fft.irfft(np.fft.rfft(x, m) * np.fft.rfft(ir / np.sqrt(np.sum(ir ** 2)), m), m)[:n].astype(np.float32)
        if rng.random() < 0.85:
            v = noise(rng, n, esc)
            snr = rng.uniform(3, 35)
            on = y > 0.5
            ref = rms(x[on]) if on.any() else 0.05
            x = x + v / (rms(v) + 1e-9) * ref * 10 ** (-snr / 20)
    peak = np.max(np.abs(x)) + 1e-9
    x = x / peak * 10 ** (rng.uniform(-36, 6 if rng.random() < 0.1 else 0) / 20)
    if rng.random() < 0.5:
        x = telephone(x, rng)
    x = np.round(np.clip(x, -1, 1) * 32767)
    frames = (n - 400) // 160 + 1
    centre = np.arange(frames) * 160 + 200
    return x.astype(np.float32), y[centre]
