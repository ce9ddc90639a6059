"""Writes the product's model: the encoder, behind it the head, as one graph; its manifest and parity vectors.

Usage: export.py encoder_model_quantized.onnx HEAD.pt CALIBRATION.json FOLDER REVISION      (CALIBRATION.json from judge.py)
"""
import hashlib
import json
import math
import sys
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper

from encoder import cut

WORDS = "zero one two three four five six seven eight nine"


def with_head(model, saved):
    graph, layer = model.graph, saved["layer"]
    w = {k: v.float().numpy() for k, v in saved["head"].items()}

    def constant(name, array):
        graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(array, np.float32), name))
        return name

    def put(op, inputs, output, **attributes):
        graph.node.append(helper.make_node(op, inputs, [output], name=output, **attributes))
        return output

    half, root, one = constant("head.half", [0.5]), constant("head.root", [1 / math.sqrt(2)]), constant("head.one", [1.0])

    def gelu(x):
        e = put("Erf", [put("Mul", [x, root], x + "_root")], x + "_erf")
        return put("Mul", [put("Mul", [x, half], x + "_half"), put("Add", [e, one], x + "_up")], x + "_gelu")

    x = put("AveragePool", [put("Transpose", [f"hidden{layer}"], "head.across", perm=[0, 2, 1])], "head.pairs", kernel_shape=[2], strides=[2])
    x = put("Transpose", [x], "head.along", perm=[0, 2, 1])
    d = put("Sub", [x, put("ReduceMean", [x], "head.mean", axes=[2])], "head.apart")
    v = put("ReduceMean", [put("Mul", [d, d], "head.square")], "head.var", axes=[2])
    n = put("Div", [d, put("Sqrt", [put("Add", [v, constant("head.least", [1e-5])], "head.var_kept")], "head.sd")], "head.even")
    n = put("Add", [put("Mul", [n, constant("head.norm.weight", w["norm.weight"])], "head.weighed"), constant("head.norm.bias", w["norm.bias"])], "head.normed")
    y = put("Add", [put("MatMul", [n, constant("head.first.weight", w["first.weight"].T)], "head.first_product"), constant("head.first.bias", w["first.bias"])], "head.first")
    y = put("Transpose", [gelu(y)], "head.turned", perm=[0, 2, 1])
    for i in range(sum(k.startswith("conv.") and k.endswith("weight") for k in w)):
        c = put("Conv", [y, constant(f"head.conv{i}.weight", w[f"conv.{i}.weight"]), constant(f"head.conv{i}.bias", w[f"conv.{i}.bias"])], f"head.conv{i}", dilations=[2 ** i], pads=[2 ** i, 2 ** i])
        y = put("Add", [y, gelu(c)], f"head.sum{i}")
    y = put("Transpose", [y], "head.back", perm=[0, 2, 1])
    put("Add", [put("MatMul", [y, constant("head.last.weight", w["last.weight"].T)], "head.last_product"), constant("head.last.bias", w["last.bias"])], "logits")
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info("logits", 1, [1, "frames", len(w["last.bias"])]))
    onnx.checker.check_model(model)
    return model


def hum(seconds, f0, seed):
    """Something voiced that JavaScript makes in the same way."""
    state, out = seed, []
    for n in range(int(seconds * 16000)):
        state = (1664525 * state + 1013904223) % 2 ** 32
        t = n / 16000
        level = 0.5 + 0.5 * math.sin(2 * math.pi * 2 * t)
        out.append(round(level * sum(3000 / k * math.sin(2 * math.pi * k * f0 * t) for k in range(1, 9)) + 400 * (state / 2 ** 32 - 0.5)))
    return np.array(out, np.float32)


def vectors(path):
    import onnxruntime
    session = onnxruntime.InferenceSession(str(path))
    cases = []
    for seconds, f0, seed in ((1.6, 110, 1), (3.2, 190, 2)):
        z = session.run(["logits"], {"wave": hum(seconds, f0, seed)[None]})[0][0]
        cases.append({"seconds": seconds, "f0": f0, "seed": seed, "frames": len(z), "mean": [round(float(x), 4) for x in z.mean(0)]})
    return {"tolerance": 0.2, "cases": cases}


def main():
    source, head, calibration, folder, revision = sys.argv[1:6]
    saved, folder = torch.load(head), Path(folder)
    folder.mkdir(exist_ok=True)
    path = folder / "model.onnx"
    onnx.save(with_head(cut(source, [saved["layer"]]), saved), str(path))
    data = path.read_bytes()
    manifest = {"format": 1, "kind": "words", "name": "words-digits", "revision": revision, "language": "en", "words": WORDS, "file": "model.onnx", "sha256": hashlib.sha256(data).hexdigest(),
                "bytes": len(data), "input": "wave", "output": "logits", "frame_ms": 40, "calibration": json.loads(Path(calibration).read_text())}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
    (folder / "parity.json").write_text(json.dumps(vectors(path), indent=2) + "\n")


if __name__ == "__main__":
    main()
