"""Writes a checkpoint as ONNX and makes 8-bit variants of it.

    python3 -m speaker.export --checkpoint C.pt --data DIR --out DIR

`model-fp32.onnx` is the reference; `model-dynamic.onnx` and `model-static.onnx` hold 8-bit weights
(the static one also fixed activation ranges, taken from held-out speakers of the training corpora).
Input `feats` [B, T, 80], output `embs` [B, D]. Prints how close each variant's embeddings are.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

import numpy as np
import torch

from common.features import LogMel
from speaker import conditions as conditions_module
from speaker.model import load, load_prototype

logging.disable(logging.WARNING)


def export_fp32(net: torch.nn.Module, path: Path) -> None:
    axes = {"feats": {0: "B", 1: "T"}, "embs": {0: "B"}}
    options = {"dynamo": False} if "dynamo" in torch.onnx.export.__code__.co_varnames else {}
    torch.onnx.export(net, (torch.randn(1, 300, 80),), str(path), input_names=["feats"], output_names=["embs"],
                      dynamic_axes=axes, opset_version=15, **options)


def session(path: Path):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def quantise(fp32: Path, out: Path, feats: list[np.ndarray]) -> dict[str, Path]:
    from onnxruntime.quantization import (CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType,
                                          quantize_dynamic, quantize_static)
    from onnxruntime.quantization.shape_inference import quant_pre_process

    class Reader(CalibrationDataReader):
        def __init__(self):
            self.items = iter(feats)

        def get_next(self):
            item = next(self.items, None)
            return None if item is None else {"feats": item}

    prepared = out / "prepared.onnx"
    quant_pre_process(str(fp32), str(prepared), skip_symbolic_shape=True)
    paths = {"dynamic": out / "model-dynamic.onnx", "static": out / "model-static.onnx"}
    quantize_dynamic(str(prepared), str(paths["dynamic"]), weight_type=QuantType.QUInt8)
    quantize_static(str(prepared), str(paths["static"]), Reader(), quant_format=QuantFormat.QDQ, per_channel=True,
                    op_types_to_quantize=["Conv", "Gemm", "MatMul"], activation_type=QuantType.QUInt8,
                    weight_type=QuantType.QInt8, calibrate_method=CalibrationMethod.MinMax)
    prepared.unlink()
    return paths


def pick_audio(data: str, conditions: tuple[str, ...], count: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Two disjoint samples of held-out speakers under the conditions: for ranges, and for the comparison."""
    conditions_module.collect(data)
    first, second = [], []
    for condition in conditions:
        rows = [i for i, job in enumerate(conditions_module._jobs) if job[0] == "held" and job[1] == condition]
        step = max(2, len(rows) // count)
        for into, offset in ((first, 0), (second, step // 2)):
            into += [conditions_module._run(i)[1][:8 * 16000] for i in rows[offset::step][:count]]
    return first, second


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--checkpoint", required=True)
    parser.add_argument("--prototype", action="store_true", help="the checkpoint has the prototype's format")
    parser.add_argument("--data", help="decoded packs, for activation ranges and comparison; without it only fp32 is written")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    net = load_prototype(args.checkpoint) if args.prototype else load(args.checkpoint)
    export_fp32(net, out / "model-fp32.onnx")
    if not args.data:
        return
    logmel = LogMel()
    kinds = ("clean", "short", "tel8k", "noisy-any", "noisy-tel8k")
    to_feats = lambda x: logmel(torch.from_numpy(x.astype(np.float32))[None]).numpy()
    ranges, check = ([to_feats(x) for x in part] for part in pick_audio(args.data, kinds, 10))
    paths = {"fp32": out / "model-fp32.onnx", **quantise(out / "model-fp32.onnx", out, ranges)}
    rows = {}
    for name, path in paths.items():
        run = session(path)
        e = np.concatenate([run.run(None, {"feats": f})[0] for f in check])
        rows[name] = e / np.linalg.norm(e, axis=1, keepdims=True)
    for name, path in paths.items():
        cosine = (rows[name] * rows["fp32"]).sum(1)
        print(json.dumps({"variant": name, "bytes": path.stat().st_size, "cosine_mean": round(float(cosine.mean()), 5),
                          "cosine_min": round(float(cosine.min()), 5)}), flush=True)


if __name__ == "__main__":
    main()
