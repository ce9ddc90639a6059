"""Owns speech through real responses of loudspeakers, a telephone and rooms, as folders for `voxgate bench spoof`: what the playback detector is judged on.

Usage: played.py ROOMS OUT CORPUS...     ROOMS: the HISSTools responses; CORPUS: one folder per speaker, 16 kHz WAV; 30 speakers of each, one recording each
OUT/people/direct: as it is; OUT/people/room: an honest talker in a room; OUT/attacks/DEVICE: played in the dry; OUT/attacks/DEVICE-room: played in a room. All get the same level and noise floor.
"""
import random
import sys
import wave
from math import gcd
from pathlib import Path

import numpy as np
from scipy import signal
from scipy.io import wavfile

SR, KEPT, DIRECT = 16000, 24000, 80
DEVICES = {
    "mackie": [f"hirt_tutorial_media-mackie_{a}-{b}" for a in "lr" for b in "lr"],
    "superchamp": ["hirt_tutorial_media-conv_superchamp_sm57"],
    "cabinet": ["04_equipment_mono_to_stereo_irs-cabinet"],
    "telephone": ["hirt_tutorial_media-telephone_90s_c"],
}
ROOMS = ["02_spaces_mono_irs-studio_2", "02_spaces_mono_irs-phipps_mono", "03_spaces_true_stereo_irs-clothworkers_leeds_narrow_1-1",
         "03_spaces_true_stereo_irs-phipps_near_1-1", "hirt_tutorial_media-atrium_ir_l", "03_spaces_true_stereo_irs-york_rymer_auditorium_narrow_1-1"]


def response(file):
    """From just before its peak, of unit energy."""
    rate, x = wavfile.read(file)
    x = x.astype(float) if x.ndim == 1 else x[:, 0].astype(float)
    if rate != SR:
        x = signal.resample_poly(x, SR // gcd(rate, SR), rate // gcd(rate, SR))
    x = x[max(0, np.argmax(np.abs(x)) - 32):][:KEPT]
    return x / np.sqrt((x ** 2).sum())


def at_distance(h, db):
    """Direct sound (5 ms) so far above the rest."""
    h = h.copy()
    h[DIRECT:] *= np.sqrt((h[:DIRECT] ** 2).sum() / ((h[DIRECT:] ** 2).sum() + 1e-12) * 10 ** (-db / 10))
    return h


def write(file, x, like, seed):
    x = x * np.sqrt((like ** 2).mean() / ((x ** 2).mean() + 1e-9))
    x = x + np.random.default_rng(seed).standard_normal(len(x)) * np.sqrt((x ** 2).mean()) * 10 ** (-32 / 20)
    x = np.clip(np.round(x * min(1, 30000 / np.abs(x).max())), -32768, 32767)
    file.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(file), "wb") as out:
        out.setnchannels(1), out.setsampwidth(2), out.setframerate(SR)
        out.writeframes(x.astype("<i2").tobytes())


def main(rooms, out, *corpora):
    rng, files = random.Random(9), []
    for corpus in corpora:
        speakers = sorted(p for p in Path(corpus).iterdir() if p.is_dir())
        rng.shuffle(speakers)
        files += [sorted(p.glob("*.wav"))[0] for p in speakers[:30]]
    heard = {n: response(Path(rooms) / f"{n}.wav") for n in [*sum(DEVICES.values(), []), *ROOMS]}
    for i, file in enumerate(files):
        x = wavfile.read(file)[1].astype(float)
        through = lambda x, h: signal.fftconvolve(x, h)[: len(x)]
        put = lambda folder, y: write(Path(out) / folder / f"{i:03d}.wav", y, x, i)
        room = heard[ROOMS[i % len(ROOMS)]]
        put("people/direct", x)
        put("people/room", through(x, at_distance(room, rng.uniform(6, 15))))
        for name, models in DEVICES.items():
            played = through(x, heard[models[i % len(models)]])
            put(f"attacks/{name}", played)
            put(f"attacks/{name}-room", through(played, at_distance(room, rng.uniform(0, 8))))


main(*sys.argv[1:])
