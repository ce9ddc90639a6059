"""Puts a model folder together: ONNX file, cohort, parity vectors and the manifest that describes them.

    python3 -m speaker.pack_model --onnx model.onnx --calibration DIR --evaluation evaluation.json \
        --name ecapa512 --revision r3 --out ../models/speaker-ecapa512-r3
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

FEATURES = {"type": "kaldi-logmel", "sample_rate": 16000, "sample_scale": 32768, "frame_length": 400, "frame_shift": 160,
            "snip_edges": True, "remove_dc": True, "preemphasis": 0.97, "window": "hamming", "fft_size": 512, "power": True,
            "mel_bins": 80, "mel_low_hz": 20, "mel_high_hz": 7600, "log_floor": 1.1920929e-7, "mean_norm": True, "dither": 0}
SOURCES = [
    {"name": "Common Voice (about 58 languages)", "licence": "CC0", "speakers": 4130, "hours": 11.7},
    {"name": "Google Speech Commands", "licence": "CC BY 4.0", "speakers": 1854, "hours": 4.7},
    {"name": "speechocean762", "licence": "CC BY 4.0", "speakers": 250, "hours": 2.2},
    {"name": "LibriSpeech", "licence": "CC BY 4.0", "speakers": 253, "hours": 2.0},
    {"name": "Gridspace-Stanford Harper Valley, real calls without labels", "licence": "CC BY 4.0", "speakers": 6, "hours": 0.2},
    {"name": "Demonstration pages of speech synthesis and their originals, without labels", "licence": "Apache-2.0, MIT, CC0, BSD, GPL", "speakers": 0, "hours": 3.0},
    {"name": "Text-to-speech voices, without labels", "licence": "MIT", "speakers": 0, "hours": 1.4},
    {"name": "ESC-10 (noise)", "licence": "CC BY", "speakers": 0, "hours": 0.6},
    {"name": "moodist sounds (noise)", "licence": "CC0, Pixabay", "speakers": 0, "hours": 0.3},
]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--onnx", required=True)
    parser.add_argument("--calibration", required=True, help="folder with cohort.bin and calibration.json")
    parser.add_argument("--evaluation", help="figures of evaluate.py")
    parser.add_argument("--name", required=True)
    parser.add_argument("--revision", required=True)
    parser.add_argument("--stranger-spread", type=float, help="slope of strangers' normalised scores, for thresholds from callers")
    parser.add_argument("--likeness", help="SAME,OTHER: cosine of windows from which they are one speaker's, and under which a second voice is there")
    parser.add_argument("--calibration-revision", help="when thresholds are set anew for the same network, cohort and weights")
    parser.add_argument("--quantisation", default="int8-dynamic")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    out, source = Path(args.out), Path(args.calibration)
    out.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(args.onnx, out / "model.onnx")
    shutil.copyfile(source / "cohort.bin", out / "cohort.bin")
    subprocess.run([sys.executable, "-m", "speaker.parity", "--model", str(out / "model.onnx"), "--out", str(out / "parity.json")], check=True)
    calibration = json.loads((source / "calibration.json").read_text())
    evaluation = json.loads(Path(args.evaluation).read_text()) if args.evaluation else {}
    manifest = {
        "format": 1, "kind": "speaker", "name": args.name, "revision": args.revision,
        "file": "model.onnx", "sha256": digest(out / "model.onnx"), "input": "feats", "output": "embs",
        "embedding_dim": calibration["cohort"]["dim"], "quantisation": args.quantisation,
        "features": FEATURES, "window": {"min_frames": 50, "max_frames": 1000},
        "cohort": {"file": "cohort.bin", "sha256": digest(out / "cohort.bin"), "dtype": "float16", **calibration["cohort"],
                   **({"stranger_spread": args.stranger_spread} if args.stranger_spread else {})},
        "scoring": calibration["scoring"],
        **({"likeness": dict(zip(("same_speaker_min", "second_voice_most"), map(float, args.likeness.split(","))))} if args.likeness else {}),
        **({"calibration_revision": args.calibration_revision} if args.calibration_revision else {}), "thresholds": calibration["thresholds"],
        "evaluation": {"checks": calibration["checks"], **evaluation}, "sources": SOURCES,
    }
    (out / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")


if __name__ == "__main__":
    main()
