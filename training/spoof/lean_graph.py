"""Owns the same network with less work, for serving: spectra of whole windows by half of the products, long means as products, large matrices multiplied in 8 bits. Steps of export.py, after `fold` and before `halve`.

Usage: lean_graph.py IN.onnx OUT.onnx      (needs onnx)
"""
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

LEAST = 200_000  # entries of a matrix that is worth it
MIXED = "com.microsoft"


class Graph:
    """The nodes of a model, each kept or replaced by others."""

    def __init__(self, model):
        self.graph = onnx.shape_inference.infer_shapes(model).graph
        self.weights = {t.name: t for t in model.graph.initializer}
        self.fresh, self.nodes = {}, []

    def constant(self, name, value):
        if name not in self.fresh:
            self.fresh[name] = np.asarray(value)
        return name

    def node(self, op, inputs, outputs, domain="", **attributes):
        self.nodes.append(helper.make_node(op, inputs, outputs if isinstance(outputs, list) else [outputs], domain=domain, **attributes))
        return outputs if isinstance(outputs, str) else outputs[0]

    def part(self, x, out, axis, start, end, step=1):
        return self.node("Slice", [x, *(self.constant(f"number_{i}", np.array([i], np.int64)) for i in (start, end, axis, step))], out)

    def value(self, name):
        return numpy_helper.to_array(self.weights[name]).astype(np.float32) if name in self.weights else None

    def shape(self, name):
        for v in [*self.graph.value_info, *self.graph.input]:
            if v.name == name:
                return [d.dim_value for d in v.type.tensor_type.shape.dim]
        raise KeyError(name)

    def rewrite(self, model, *rules):
        for n in list(model.graph.node):
            of = {a.name: helper.get_attribute_value(a) for a in n.attribute}
            if not any(rule(self, n, of) for rule in rules):
                self.nodes.append(n)
        used = {i for n in self.nodes for i in n.input}
        kept = [t for t in model.graph.initializer if t.name in used] + [numpy_helper.from_array(v, k) for k, v in self.fresh.items()]
        del model.graph.node[:], model.graph.initializer[:]
        model.graph.node.extend(self.nodes), model.graph.initializer.extend(kept)
        model.opset_import.append(helper.make_opsetid(MIXED, 1))
        return model


def narrowed(g, x):
    """What the network computes, in 8 bits: each frame by its own largest number, since one loud frame would leave few of the 255 steps to the others; then one scale for all of them, found when it runs."""
    if not any(n.output[0] == x + "_level" for n in g.nodes):
        g.node("Abs", [x], x + "_size")
        g.node("ReduceMax", [x + "_size"], x + "_largest", axes=[-1], keepdims=1)
        g.node("Add", [x + "_largest", g.constant("tiny", np.float32(1e-6))], x + "_most")
        g.node("Div", [x, x + "_most"], x + "_level")
        g.node("DynamicQuantizeLinear", [x + "_level"], [x + "_q", x + "_qs", x + "_qz"])
    return x + "_q", x + "_qs", x + "_qz", x + "_most"


def product(g, x, name, matrix, out):
    """x times a constant matrix in 8 bits, one scale a column. Signed, as ONNX Runtime multiplies them fastest where the processor has instructions for it; src/inference/weights/signed-weights.ts turns them for others."""
    size = np.maximum(np.abs(matrix).max(0), 1e-12) / 127
    q, s = g.constant(name + "_bytes", np.round(matrix / size).astype(np.int8)), g.constant(name + "_scale", size.astype(np.float32))
    x, scale, zero, most = narrowed(g, x)
    y = g.node("MatMulIntegerToFloat", [x, q, scale, s, zero, g.constant("bytes_zero", np.zeros(1, np.int8))], out + "_level", domain=MIXED)
    return g.node("Mul", [y, most], out)


def matrices(g, n, of):
    """Products with a large constant matrix."""
    w = g.value(n.input[1]) if n.op_type in ("MatMul", "Gemm") else None
    if w is None or w.ndim != 2 or w.size < LEAST or "basis" in n.input[1]:
        return False
    assert not of.get("transA") and of.get("alpha", 1.0) == of.get("beta", 1.0) == 1.0, n.name
    y = product(g, n.input[0], n.input[1], w.T if of.get("transB") else w, n.output[0] + "_product" if len(n.input) > 2 else n.output[0])
    if len(n.input) > 2:
        g.node("Add", [y, n.input[2]], n.output[0])
    return True


def convolutions(g, n, of):
    """Large convolutions over time, as products of the frames that each of them sees."""
    w = g.value(n.input[1]) if n.op_type == "Conv" else None
    if w is None or w.ndim != 3 or w.size < LEAST or "basis" in n.input[1] or w.shape[1] == 1 or of.get("group", 1) != 1:
        return False
    rows, _, taps = w.shape
    x, out, (before, after), stride, step = n.input[0], n.output[0], of["pads"], of["strides"][0], of["dilations"][0]
    length = g.shape(x)[2]
    if before or after:
        x = g.node("Pad", [x, g.constant(out + "_pads", np.array([0, 0, before, 0, 0, after], np.int64))], out + "_padded")
        length += before + after
    x = g.node("Transpose", [x], out + "_turned", perm=[0, 2, 1])
    frames = (length - step * (taps - 1) - 1) // stride + 1
    if taps > 1 or stride > 1:
        seen = stride * np.arange(frames)[:, None] + step * np.arange(taps)[None]
        x = g.node("Gather", [x, g.constant(out + "_seen", seen.reshape(-1).astype(np.int64))], out + "_frames", axis=1)
        x = g.node("Reshape", [x, g.constant(out + "_shape", np.array([-1, frames, taps * w.shape[1]], np.int64))], out + "_rows")
    y = product(g, x, n.input[1], w.transpose(2, 1, 0).reshape(-1, rows), out + "_product")
    if len(n.input) > 2:
        y = g.node("Add", [y, n.input[2]], out + "_biased")
    g.node("Transpose", [y], out, perm=[0, 2, 1])
    return True


def spectra(g, n, of):
    """A spectrum whose window is as long as its transform: what lies at the same distance from its middle shares cosine and, but for the sign, sine. Half of the products; the matrices are made when the file is opened."""
    basis = g.value(n.input[1]) if n.op_type == "Conv" and n.input[1].endswith(".basis") else None
    if basis is None or basis.shape[2] < 1024:
        return False
    rows, _, size = basis.shape
    bins, half, name, out = rows // 2, size // 2, n.input[1], n.output[0]
    at, k = np.arange(size, dtype=np.float64), np.arange(1, bins + 1, dtype=np.float64)
    win = 0.5 - 0.5 * np.cos(2 * np.pi * (at + 0.5) / size)
    win /= np.sqrt((win * win).sum())
    angle = 2 * np.pi * k[:, None] * at[None] / size
    if np.abs(np.concatenate([np.cos(angle) * win, np.sin(angle) * win]) - basis[:, 0]).max() > 1e-6:
        return False
    hop, length = of["strides"][0], g.shape(n.input[0])[2]
    frames, blocks = (length - size) // hop + 1, -(-(size + 1) // hop)
    if length % hop or frames + blocks - 1 > length // hop:
        return False
    x = g.node("Reshape", [n.input[0], g.constant(f"{name}_blocks", np.array([-1, length // hop, hop], np.int64))], f"{out}_blocks")
    y = [g.part(x, f"{out}_block{i}", 1, i, i + frames) for i in range(blocks)]
    y = g.node("Concat", y, f"{out}_all", axis=2)
    sides, places = [], np.arange(half + 1)
    for side, start, end, step, weight in (("left", 0, half + 1, 1, win[places]), ("right", size, half - 1, -1, np.where((places == 0) | (places == half), 0.0, win[-places]))):
        x = g.part(y, f"{out}_{side}_seen", 2, start, end, step)
        sides.append(g.node("Mul", [x, g.constant(f"{name}_{side}_window", weight.astype(np.float32))], f"{out}_{side}"))
    g.node("MatMul", [g.constant(f"{name}_at", places[:, None].astype(np.float32)), g.constant(f"{name}_bin", k[None].astype(np.float32))], f"{name}_turns")
    g.node("Mod", [f"{name}_turns", g.constant(f"{name}_size", np.float32(size))], f"{name}_part", fmod=1)
    g.node("Mul", [f"{name}_part", g.constant(f"{name}_turn", np.float32(2 * np.pi / size))], f"{name}_angle")
    parts = []
    for op, both in (("Cos", "Add"), ("Sin", "Sub")):
        g.node(op, [f"{name}_angle"], f"{name}_{op}")
        g.node(both, sides, f"{out}_{both}")
        parts.append(g.node("MatMul", [f"{out}_{both}", f"{name}_{op}"], f"{out}_{op}"))
    g.node("Transpose", [g.node("Concat", parts, f"{out}_rows", axis=2)], out, perm=[0, 2, 1])
    return True


def means(g, n, of):
    """Means over neighbouring rows, as products with a band."""
    if n.op_type != "AveragePool" or len(of["kernel_shape"]) != 2 or of["kernel_shape"][1] != 1 or of["strides"] != [1, 1]:
        return False
    rows, wide = g.shape(n.input[0])[2], of["kernel_shape"][0]
    assert of["pads"] == [wide // 2, 0, wide // 2, 0] and not of.get("count_include_pad", 0), n.name
    at = np.arange(rows, dtype=np.float32)
    count = (np.abs(at[:, None] - at[None]) <= wide // 2).sum(1, keepdims=True)
    name = f"band_{rows}_{wide}"
    if not any(node.output[0] == name for node in g.nodes):
        g.node("Sub", [g.constant(f"row_{rows}", at[:, None]), g.constant(f"column_{rows}", at[None])], name + "_far")
        g.node("Abs", [name + "_far"], name + "_distance")
        g.node("LessOrEqual", [name + "_distance", g.constant(name + "_reach", np.float32(wide // 2))], name + "_near")
        g.node("Cast", [name + "_near"], name + "_ones", to=TensorProto.FLOAT)
        g.node("Div", [name + "_ones", g.constant(name + "_count", count.astype(np.float32))], name)
    g.node("MatMul", [name, n.input[0]], n.output[0])
    return True


if __name__ == "__main__":
    source, out = sys.argv[1:3]
    model = onnx.load(source)
    rules = [globals()[name] for name in sys.argv[3].split(",")] if len(sys.argv) > 3 else [matrices, convolutions, spectra, means]
    onnx.save(Graph(model).rewrite(model, *rules), out)
