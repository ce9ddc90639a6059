"""Music and tones made by code: what a speech detector must not take for speech."""
import numpy as np

SR = 16000


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
