"""Owns the data folder that training reads: wav files of the synthesizers become packs, and the speech packs are cut down to what is needed.

Usage: prepare.py SPEECH_DIR TTS_DIR OUT OPUS_TOOL
Needs numpy, scipy, soundfile and lame (half of the synthetic files take an MP3 round trip, as Common Voice did, so that MP3 does not mean "human").
"""
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

import numpy as np
import soundfile as sf
from scipy.signal import resample_poly

from systems import FRESH

SR = 16000
PACKET = 960  # samples of one Opus packet in the packs


def trim(x):
    """Cut silence at both ends, as the packs have none: frames 35 dB under the loud ones."""
    frames = x[: len(x) // 320 * 320].reshape(-1, 320).astype(np.float64)
    level = 10 * np.log10((frames ** 2).mean(1) + 1e-3)
    loud = np.where(level > np.percentile(level, 95) - 35)[0]
    return x[max(0, loud[0] - 3) * 320:(loud[-1] + 4) * 320] if len(loud) else x[:0]


def load_wav(path, rng):
    if rng.random() < 0.5:
        with tempfile.TemporaryDirectory() as tmp:
            subprocess.run(["lame", "--quiet", "-m", "m", "-b", rng.choice(["32", "48", "64", "96", "128"]), path, f"{tmp}/a.mp3"], check=True)
            subprocess.run(["lame", "--quiet", "--decode", f"{tmp}/a.mp3", f"{tmp}/a.wav"], check=True)
            x, rate = sf.read(f"{tmp}/a.wav", dtype="float64")
    else:
        x, rate = sf.read(path, dtype="float64")
    if x.ndim > 1:
        x = x.mean(1)
    g = np.gcd(SR, rate)
    x = resample_poly(x, SR // g, rate // g) if rate != SR else x
    x = x / (np.abs(x).max() + 1e-9) * rng.uniform(0.2, 0.95) * 32767
    return trim(np.round(x).astype(np.int16))


def pack_system(name, folder, out, tool):
    rng = random.Random("voxgate-pack-" + name)
    utts, waves, rates = [], [], []
    for f in sorted(os.listdir(folder)):
        try:
            x = load_wav(os.path.join(folder, f), rng)
        except Exception as e:  # an unfinished file of a synthesizer that still runs
            print("skipped", f, e)
            continue
        if len(x) < SR:
            continue
        x = x[: 10 * SR]
        utts.append([f.rsplit("-", 1)[0], len(x)])
        waves.append(x)
        rates.append(rng.choice([16000, 18000, 20000, 22000, 24000]))
    write_pack(f"{out}/{name}", {"set": name, "kind": "spoof", "utts": utts}, waves, rates, tool)


def write_pack(base, meta, waves, rates, tool):
    np.concatenate(waves).tofile(base + ".raw")
    with open(base + ".len", "w") as f:
        f.write("".join(f"{len(w)} {r}\n" for w, r in zip(waves, rates)))
    subprocess.run([tool, "pack", base + ".raw", base + ".len", base + ".pack"], check=True)
    os.remove(base + ".raw")
    os.remove(base + ".len")
    json.dump(meta, open(base + ".json", "w"))
    print(os.path.basename(base), len(waves), "utterances", round(sum(map(len, waves)) / SR / 60, 1), "min")


def cut_pack(source, name, out, kind, want, new_set=None, join=False, most_s=1e9):
    """Copy the packets of chosen utterances, of each at most `most_s` seconds. `want(index, speaker, samples)` says which."""
    meta = json.load(open(source + ".json"))
    data = open(source + ".pack", "rb").read()
    at, utts, n_samples, most = 0, [], 0, int(most_s * SR / PACKET)
    with open(f"{out}/{name}.pack", "wb") as f:
        for i, (speaker, samples) in enumerate(meta["utts"]):
            _, packets = struct.unpack_from("<II", data, at)
            at += 8
            start, keep, end = at, min(packets, most), at
            for k in range(packets):
                at += 2 + struct.unpack_from("<H", data, at)[0]
                if k < keep:
                    end = at
            if want(i, speaker, samples):
                samples = min(samples, keep * PACKET)
                f.write(struct.pack("<II", samples, keep) + data[start:end])
                utts.append([speaker, samples])
                n_samples += samples
    json.dump({"set": new_set or meta["set"], "kind": kind, "utts": utts, **({"join": True} if join else {})}, open(f"{out}/{name}.json", "w"))
    print(name, len(utts), "utterances", round(n_samples / SR / 60, 1), "min", os.path.getsize(f"{out}/{name}.pack") // 1000, "kB")


def first_of_speaker(limit_speakers, per_speaker, min_s, seed, others=False):
    """A share of the speakers, the first recordings of each; with `others` the speakers that the same call without it leaves out."""
    seen, rng, chosen = {}, random.Random(seed), {}

    def want(_, speaker, samples):
        if speaker not in chosen:
            chosen[speaker] = (rng.random() < limit_speakers) != others
        if not chosen[speaker] or samples < min_s * SR or seen.get(speaker, 0) >= per_speaker:
            return False
        seen[speaker] = seen.get(speaker, 0) + 1
        return True
    return want


def main(speech, tts, out, tool):
    """Folders a, b, c travel one after another (what one call takes is limited); d stays: people that training never meets, systems that no copy may see."""
    for part in "abcd":
        os.makedirs(f"{out}/{part}", exist_ok=True)
    train, spoof, dev = f"{speech}/train", f"{speech}/spoof", f"{speech}/dev"
    for k, name in enumerate(("commonvoice-0", "commonvoice-1")):
        cut_pack(f"{train}/{name}", name, f"{out}/{'ab'[k]}", "bonafide", first_of_speaker(0.72, 1, 2, k))
        cut_pack(f"{train}/{name}", "fresh-" + name, f"{out}/d", "fresh", first_of_speaker(0.72, 1, 2, k, others=True), "cv-fresh")
    cut_pack(f"{train}/librispeech", "librispeech", f"{out}/a", "bonafide", first_of_speaker(1, 1, 3, 2), most_s=9)
    cut_pack(f"{speech}/noise/esc10", "esc10", f"{out}/a", "noise", lambda i, s, n: i % 5 < 2)
    cut_pack(f"{train}/speechocean762", "speechocean762", f"{out}/b", "bonafide", first_of_speaker(1, 2, 2, 3))
    for k, name in enumerate(("speechcommands-0", "speechcommands-1")):
        every = first_of_speaker(0.75, 4, 0.6, 10 + k)
        cut_pack(f"{train}/{name}", name, f"{out}/b", "bonafide", lambda i, s, n: every(i, s, n) and sum(s.encode()) % 2 == 0, join=True)
        cut_pack(f"{train}/{name}", "fresh-" + name, f"{out}/d", "fresh", first_of_speaker(0.75, 4, 0.6, 10 + k, others=True), "gsc-fresh", join=True)
    cut_pack(f"{speech}/noise/esc10", "esc10-dev", f"{out}/b", "noise-dev", lambda i, s, n: i % 10 == 4, "esc10-dev")
    cut_pack(f"{dev}/voxforge", "voxforge", f"{out}/b", "dev", first_of_speaker(1, 2, 2, 4))
    cut_pack(f"{dev}/commonvoice-dev", "commonvoice-dev", f"{out}/b", "dev", first_of_speaker(1, 1, 2, 5))
    for name in ("piper-vits", "mimic3", "ttsvctk"):
        cut_pack(f"{spoof}/{name}", name, f"{out}/c", "spoof", lambda i, s, n: n >= SR, most_s=7 if name == "piper-vits" else 1e9)
    for name in sorted(os.listdir(tts)):
        where = "d" if name in FRESH else "c"
        if not os.path.exists(f"{out}/{where}/{name}.pack"):  # delete the pack to make it again
            pack_system(name, f"{tts}/{name}", f"{out}/{where}", tool)


if __name__ == "__main__":
    main(*sys.argv[1:5])
