"""Owns the making of attack speech with the classic synthesizers of Debian (espeak-ng, flite, festival, open-jtalk).

Usage: synthesize.py OUT [system ...]
Writes OUT/<system>/<voice>-<n>.wav in the synthesizer's own format; `pack.py` brings them to 16 kHz Opus.
"""
import os
import random
import subprocess
import sys

from texts import sentence

ESPEAK = [("en", "en-us"), ("en", "en-gb"), ("en", "en-gb-scotland"), ("de", "de"), ("fr", "fr"), ("es", "es"), ("it", "it"), ("pt", "pt"), ("cs", "cs"),
          ("fi", "fi"), ("ru", "ru"), ("nl", "nl"), ("pl", "pl"), ("tr", "tr"), ("hi", "hi")]
VARIANTS = ["", "+m1", "+m3", "+m7", "+f1", "+f2", "+f4", "+f5", "+klatt", "+klatt3", "+whisper", "+croak"]
FESTIVAL = {
    "festival-diphone": [("en", "kal_diphone"), ("en", "ked_diphone"), ("it", "lp_diphone"), ("it", "pc_diphone"), ("fi", "hy_fi_mv_diphone"),
                         ("fi", "suo_fi_lj_diphone"), ("cs", "czech_ph"), ("cs", "czech_dita"), ("cs", "czech_machac"), ("cs", "czech_krb"),
                         ("hi", "hindi_NSK_diphone"), ("mr", "marathi_NSK_diphone"), ("te", "telugu_NSK_diphone")],
    "festival-hts": [("en", "cmu_us_slt_arctic_hts"), ("ca", "upc_ca_ona_hts")],
    "festival-units": [("ru", "msu_ru_nsh_clunits")],
}
# These voices expect their own 8-bit alphabets, not UTF-8.
CHARSET = {"cs": "iso-8859-2", "it": "iso-8859-15", "fi": "iso-8859-15", "ca": "iso-8859-15", "ru": "utf-8"}
FLITE = ["kal", "kal16", "awb", "rms", "slt"]


def run(cmd, text=None):
    try:
        subprocess.run(cmd, input=text, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        pass


def espeak(out, rng, n):
    for i in range(n):
        lang, voice = rng.choice(ESPEAK) if rng.random() < 0.6 else ("en", "en-us")
        variant = rng.choice(VARIANTS)
        run(["espeak-ng", "-v", voice + variant, "-s", str(rng.randint(130, 190)), "-p", str(rng.randint(20, 80)), "-w",
             f"{out}/{voice}{variant.replace('+', '_')}-{i}.wav", sentence(lang, rng)])


def flite(out, rng, n):
    for i in range(n):
        voice = FLITE[i % len(FLITE)]
        run(["flite", "-voice", voice, "--setf", f"duration_stretch={rng.uniform(0.85, 1.2):.2f}", "-t", sentence("en", rng), "-o", f"{out}/{voice}-{i}.wav"])


def festival(out, rng, n, name):
    for i in range(n):
        lang, voice = FESTIVAL[name][i % len(FESTIVAL[name])]
        text = sentence(lang, rng).encode(CHARSET.get(lang, "utf-8"), "ignore")
        run(["text2wave", "-eval", f"(voice_{voice})", "-eval", f"(Parameter.set 'Duration_Stretch {rng.uniform(0.85, 1.2):.2f})",
             "-o", f"{out}/{voice}-{i}.wav"], text)


def openjtalk(out, rng, n):
    dictionary = os.environ.get("OPENJTALK_DIC", "/var/lib/mecab/dic/open-jtalk/naist-jdic")
    voices = sorted(os.path.join(d, f) for d, _, fs in os.walk(os.environ.get("OPENJTALK_VOICES", "/usr/share/hts-voice")) for f in fs if f.endswith(".htsvoice"))
    for i in range(n):
        voice = voices[i % len(voices)]
        name = os.path.basename(voice).split(".")[0]
        run(["open_jtalk", "-x", dictionary, "-m", voice, "-r", f"{rng.uniform(0.85, 1.2):.2f}", "-fm", f"{rng.uniform(-3, 3):.1f}",
             "-ow", f"{out}/{name}-{i}.wav"], sentence("ja", rng).encode())


SYSTEMS = {
    "espeak-ng": (espeak, 300), "flite": (flite, 200), "openjtalk": (openjtalk, 100),
    "festival-diphone": (lambda o, r, n: festival(o, r, n, "festival-diphone"), 156),
    "festival-hts": (lambda o, r, n: festival(o, r, n, "festival-hts"), 120),
    "festival-units": (lambda o, r, n: festival(o, r, n, "festival-units"), 40),
}

if __name__ == "__main__":
    root = sys.argv[1]
    for name in sys.argv[2:] or list(SYSTEMS):
        make, count = SYSTEMS[name]
        os.makedirs(f"{root}/{name}", exist_ok=True)
        make(f"{root}/{name}", random.Random(f"voxgate-{name}"), int(os.environ.get("COUNT", count)))
        print(name, len(os.listdir(f"{root}/{name}")), flush=True)
