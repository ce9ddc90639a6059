"""Owns the last savings on the file that ships, after `export.py halve`: the same weights and the same sums in another order, so that ONNX Runtime moves less memory. Nothing is rounded that was not before.

Usage: lean_file.py IN.onnx OUT.onnx [RULE,...]      (needs onnx and onnxruntime)
"""
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

LARGE = 5_000  # numbers in what a mean is taken of, so that a product is worth it
LONG = 1_000  # columns over which a mean of neighbours is taken


def shapes(model):
    """Of everything that the network computes, seen when it runs: products in 8 bits are unknown to ONNX' own inference."""
    told = onnx.ModelProto()
    told.CopyFrom(model)
    names = [o for n in model.graph.node for o in n.output]
    told.graph.output.extend(helper.make_empty_tensor_value_info(o) for o in names if o not in {v.name for v in model.graph.output})
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level, options.log_severity_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL, 3
    window = np.random.default_rng(0).normal(0, 1000, (1, 64000)).astype(np.float32)
    values = onnxruntime.InferenceSession(told.SerializeToString(), options).run(names, {model.graph.input[0].name: window})
    return {name: list(value.shape) for name, value in zip(names, values)}


class File:
    """The nodes of a model by what they put out; those that nobody reads are dropped at the end."""

    def __init__(self, model):
        del model.graph.value_info[:]
        model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 1  # windows come one by one; so shapes are known when the file is opened
        self.model, self.nodes = model, list(model.graph.node)
        self.weights = {t.name: t for t in model.graph.initializer}
        self.shapes = shapes(model)

    def made(self, name):
        return next((n for n in self.nodes if name in n.output), None)

    def readers(self, name):
        return [n for n in self.nodes if name in n.input]

    def constant(self, name, value):
        self.weights.setdefault(name, numpy_helper.from_array(np.asarray(value), name))
        return name

    def numbers(self, *values):
        return self.constant("numbers_" + "_".join(map(str, values)), np.array(values, np.int64))

    def put(self, op, inputs, output, **attributes):
        """A node in the place of the one that made this output, if there was one."""
        old = self.made(output)
        new = helper.make_node(op, inputs, [output], **attributes)
        if old is None:
            self.nodes.append(new)
        else:
            self.nodes[self.nodes.index(old)] = new
        return output

    def part(self, x, output, axis, start, end):
        return self.put("Slice", [x, self.numbers(start), self.numbers(end), self.numbers(axis)], output)

    def saved(self):
        """In an order in which everything is made before it is read, without what is read by nobody."""
        makers, order, seen = {o: n for n in self.nodes for o in n.output}, [], set()
        stack = [(makers[o.name], False) for o in self.model.graph.output]
        while stack:
            node, done = stack.pop()
            if done:
                order.append(node)
            elif node.output[0] not in seen:
                seen.add(node.output[0])
                stack.append((node, True))
                stack += [(makers[i], False) for i in reversed(node.input) if i in makers]
        used = {i for n in order for i in n.input}
        g = self.model.graph
        del g.node[:], g.initializer[:]
        g.node.extend(order), g.initializer.extend(t for name, t in self.weights.items() if name in used)
        onnx.checker.check_model(self.model)
        return self.model


def attributes(node):
    return {a.name: helper.get_attribute_value(a) for a in node.attribute}


def bands(f):
    """Means over 2^n + 1 neighbouring rows: sums of two, of four and so on, and one more, instead of a product with a band. (The band was made anew for every window, too: ONNX Runtime does not compare when a file is opened.)"""
    for n in [n for n in f.nodes if n.op_type == "MatMul" and n.input[0].startswith("band_")]:
        (rows, wide), x, out = map(int, n.input[0].split("_")[1:]), n.input[1], n.output[0]
        half = wide // 2
        f.put("Pad", [x, f.numbers(0, 0, half, 0, 0, 0, half, 0)], out + "_padded")
        total, step, length = out + "_padded", 1, rows + wide - 1
        while step < wide - 1:
            sides = [f.part(total, f"{out}_sum{step}_{k}", 2, k, k + length - step) for k in (0, step)]
            total, step, length = f.put("Add", sides, f"{out}_sum{2 * step}"), 2 * step, length - step
        ends = [f.part(total, out + "_most", 2, 0, rows), f.part(out + "_padded", out + "_last", 2, wide - 1, wide - 1 + rows)]
        at = np.arange(rows)
        count = np.minimum(at, half) + np.minimum(rows - 1 - at, half) + 1
        f.put("Mul", [f.put("Add", ends, out + "_sum"), f.constant(f"near_{rows}_{wide}_rows", (1 / count[:, None]).astype(np.float32))], out)


def residual(f):
    """What a prediction of its own leaves of each frame, as one convolution with as many groups as frames, instead of copies of the sound for every tap."""
    (copies,) = [n for n in f.nodes if n.op_type == "Conv" and n.input[1].endswith(".basis_taps")]
    turned = numpy_helper.to_array(f.weights[copies.input[1]])[:, 0]
    assert (turned == np.eye(len(turned))[::-1]).all()
    (rows,) = f.readers(copies.output[0])
    (product,) = f.readers(rows.output[0])
    (total,) = f.readers(product.output[0])
    taps, (_, count, frames, size) = f.made(product.input[1]).input[0], f.shapes[rows.output[0]]
    padded = f.made(copies.input[0])
    sound, out = f.made(padded.input[0]).input[0], total.output[0]
    f.put("Pad", [sound, f.numbers(0, 0, count - 1, 0, 0, 0)], out + "_padded")
    blocks = []
    for name, start in (("now", 0), ("next", size)):
        f.part(out + "_padded", f"{out}_{name}_sound", 2, start, start + frames * size)
        blocks.append(f.put("Reshape", [f"{out}_{name}_sound", f.numbers(1, frames, size)], f"{out}_{name}"))
    f.part(blocks[1], out + "_more", 2, 0, count - 1)
    f.put("Concat", [blocks[0], out + "_more"], out + "_frames", axis=2)
    f.put("Gather", [taps, f.constant(out + "_order", np.arange(count)[::-1].astype(np.int64).copy())], out + "_turned", axis=1)
    f.put("Reshape", [f.put("Transpose", [out + "_turned"], out + "_by_frame", perm=[2, 0, 1]), f.numbers(frames, 1, count)], out + "_taps")
    f.put("Conv", [out + "_frames", out + "_taps"], out + "_left", group=frames, kernel_shape=[count])
    f.put("Reshape", [out + "_left", f.numbers(1, 1, frames, size)], out)


def means(f):
    """Means over rows as products, each once."""
    known = {}
    for n in [n for n in f.nodes if n.op_type == "ReduceMean"]:
        of, x = attributes(n), n.input[0]
        shape = f.shapes.get(x, [])
        if of["axes"] != [1] or len(shape) != 3 or np.prod(shape) < LARGE:
            continue
        if x not in known:
            known[x] = f.put("MatMul", [f.constant(f"mean_of_{shape[1]}", np.full((1, 1, shape[1]), 1 / shape[1], np.float32)), x], x + "_mean")
        f.put("Reshape", [known[x], f.numbers(1, 1, shape[2]) if of["keepdims"] else f.numbers(1, shape[2])], n.output[0])


def pools(f):
    """Means over neighbours in long rows as convolutions with ones."""
    for n in [n for n in f.nodes if n.op_type == "AveragePool"]:
        of, x, out = attributes(n), n.input[0], n.output[0]
        wide, shape = of["kernel_shape"][-1], f.shapes[x]
        rows, length = int(np.prod(shape[:-1])), shape[-1]
        if length < LONG:
            continue
        assert wide % 2 and of["pads"][-1] == wide // 2 and not of["count_include_pad"] and set(of["kernel_shape"][:-1]) <= {1}
        count = np.convolve(np.ones(length), np.ones(wide), "same")
        f.put("Reshape", [x, f.numbers(rows, 1, length)], out + "_each")
        f.put("Conv", [out + "_each", f.constant(f"ones_{wide}", np.ones((1, 1, wide), np.float32))], out + "_sum", kernel_shape=[wide], pads=[wide // 2] * 2)
        f.put("Mul", [out + "_sum", f.constant(f"near_{length}_{wide}", (1 / count).astype(np.float32))], out + "_near")
        f.put("Reshape", [out + "_near", f.numbers(*shape)], out)


def squeezes(f):
    """Two first layers over the same frames as one product, without turning these."""
    turned = f.made(f.made("/Gather_6_output_0").input[0]).input[0]
    x = f.made(turned).input[0]
    convs = f.readers("/Gather_6_output_0")
    assert f.made(turned).op_type == "Transpose" and all(n.op_type == "Conv" and attributes(n)["kernel_shape"] == [1] for n in convs)
    stored = [f.made(n.input[1]).input[0] for n in convs]  # as 16-bit floats
    assert all(f.made(n.input[1]).op_type == "Cast" for n in convs)
    both = np.concatenate([numpy_helper.to_array(f.weights[s])[:, :, 0] for s in stored]).T
    f.put("Cast", [f.constant("squeezes_h", both.copy())], "squeezes", to=onnx.TensorProto.FLOAT)
    f.put("MatMul", [x, "squeezes"], "squeezed")
    bias = np.concatenate([numpy_helper.to_array(f.weights[n.input[2]]) for n in convs])
    f.put("Add", ["squeezed", f.constant("squeezes_bias", bias)], "squeezed_biased")
    f.put("Transpose", ["squeezed_biased"], "squeezed_turned", perm=[0, 2, 1])
    at = 0
    for n in convs:
        rows = len(numpy_helper.to_array(f.weights[n.input[2]]))
        f.part("squeezed_turned", n.output[0], 1, at, at + rows)
        at += rows


def speaker(f):
    """The speaker network by rows, a frame each, as its large products want them; turned for its small convolutions alone. ONNX Runtime would turn the frames only after it has looked for the largest number of each, which takes much longer across than along a row; not so behind a change of shape."""
    by_rows = {}

    def rows_of(name):
        if name not in by_rows:
            x, frames = f.made(name), f.shapes[name][2]
            size = f.shapes[name][1]
            if x.op_type == "Transpose":
                by_rows[name] = f.put("Reshape", [x.input[0], f.numbers(frames, size)], name + "_by_rows")
            elif x.op_type == "Relu":
                by_rows[name] = f.put("Relu", [rows_of(x.input[0])], name + "_by_rows")
            elif x.op_type == "BatchNormalization":
                scale, shift, mean, var = (numpy_helper.to_array(f.weights[i]).astype(np.float64) for i in x.input[1:])
                scale = scale / np.sqrt(var + attributes(x)["epsilon"])
                y = f.put("Mul", [rows_of(x.input[0]), f.constant(name + "_scale", scale.astype(np.float32))], name + "_scaled")
                by_rows[name] = f.put("Add", [y, f.constant(name + "_shift", (shift - mean * scale).astype(np.float32))], name + "_by_rows")
            elif x.op_type == "Add":
                by_rows[name] = f.put("Add", [rows_of(i) for i in x.input], name + "_by_rows")
            elif x.op_type == "Mul" and x.input[0] != x.input[1]:
                gate = f.put("Reshape", [x.input[1], f.numbers(1, size)], name + "_gate")
                by_rows[name] = f.put("Mul", [rows_of(x.input[0]), gate], name + "_by_rows")
            elif x.op_type == "Mul":
                by_rows[name] = f.put("Mul", [rows_of(i) for i in x.input], name + "_by_rows")
            else:
                y = f.put("Transpose", [name], name + "_across", perm=[0, 2, 1])
                by_rows[name] = f.put("Reshape", [y, f.numbers(frames, size)], name + "_by_rows")
        return by_rows[name]

    for n in [n for n in f.nodes if n.op_type == "Transpose" and n.output[0].endswith("_turned") and any(r.op_type == "Abs" for r in f.readers(n.output[0]))]:
        x, shape = n.output[0], f.shapes[n.output[0]]
        rows = rows_of(n.input[0])
        for r in f.readers(x):
            assert r.op_type in ("Abs", "Div"), r
            f.put(r.op_type, [rows, *r.input[1:]], r.output[0])
        (product,) = f.readers(x + "_q")
        (scaled,) = f.readers(product.output[0])
        (biased,) = f.readers(scaled.output[0])
        f.put("Add", list(biased.input), biased.output[0] + "_rows")
        f.put("Reshape", [biased.output[0] + "_rows", f.numbers(1, shape[1], f.shapes[biased.output[0]][2])], biased.output[0])
    for n in [n for n in f.nodes if n.op_type == "Split" and "/speaker/" in n.output[0]]:
        x = n.input[0]
        frames, size = f.shapes[x][2], f.shapes[x][1]
        f.put("Transpose", [f.put("Reshape", [rows_of(x), f.numbers(1, frames, size)], x + "_whole")], x, perm=[0, 2, 1])
    for n in [n for n in f.nodes if n.op_type == "ReduceMean" and "/speaker/" in n.output[0] and attributes(n)["axes"] == [2]]:
        x, (_, size, frames) = n.input[0], f.shapes[n.input[0]]
        if f.made(x).op_type in ("BatchNormalization", "Add", "Mul"):
            y = f.put("MatMul", [f.constant(f"mean_of_{frames}_rows", np.full((1, frames), 1 / frames, np.float32)), rows_of(x)], n.output[0] + "_row")
            f.put("Reshape", [y, f.numbers(*f.shapes[n.output[0]])], n.output[0])


def long_spectrum(f):
    """Of a spectrum of half of the products, half again: from the middle of each half, even bins see the same on both sides, odd ones the opposite."""
    name = "groups.0.0.spectrum.rich.more.long.basis"
    middle = len(numpy_helper.to_array(f.weights[name + "_at"])) // 2
    bins = numpy_helper.to_array(f.weights[name + "_bin"])[0]
    products = [f.readers(f"{name}_{op}")[0] for op in ("Cos", "Sin")]
    (rows,) = f.readers(products[0].output[0])
    out, got = rows.output[0], []
    f.constant(name + "_near", np.arange(middle + 1, dtype=np.float32)[:, None])
    for op, n in zip(("Cos", "Sin"), products):
        x = n.input[0]
        left = f.part(x, x + "_near", 2, 0, middle + 1)
        right = f.put("Slice", [x, f.numbers(2 * middle), f.numbers(middle - 1), f.numbers(2), f.numbers(-1)], x + "_far")
        edge = np.ones(middle + 1, np.float32)
        edge[middle] = 0.5  # the middle itself is on both sides
        for odd in (1, 0):
            chosen = bins[bins.astype(int) % 2 == odd]
            part = f"{name}_{op}{odd}"
            f.put("MatMul", [name + "_near", f.constant(part + "_bin", chosen[None])], part + "_turns")
            f.put("Mod", [part + "_turns", name + "_size"], part + "_part", fmod=1)
            f.put(op, [f.put("Mul", [part + "_part", name + "_turn"], part + "_angle")], part + "_whole")
            f.put("Mul", [part + "_whole", f.constant(name + "_edge", edge[:, None])], part)
            both = f.put("Add" if (op == "Cos") == (odd == 0) else "Sub", [left, right], f"{x}_{odd}")
            got.append(f.put("MatMul", [both, part], f"{out}_{op}{odd}"))
    order = np.argsort(np.concatenate([bins[bins.astype(int) % 2 == odd] + 10_000 * at for at in (0, 1) for odd in (1, 0)]))
    (turned,) = f.readers(out)
    f.put("Concat", got, out + "_mixed", axis=2)
    f.put("Transpose", [out + "_mixed"], out + "_turned", perm=[0, 2, 1])
    f.put("Gather", [out + "_turned", f.constant(out + "_order", order.astype(np.int64))], turned.output[0], axis=1)


def parts(f):
    """Sums over time of each part, instead of putting the parts together first."""
    for n in [n for n in f.nodes if n.op_type in ("ReduceMean", "ReduceSum")]:
        of, x, out = attributes(n), f.made(n.input[0]), n.output[0]
        axes = of.get("axes") or (list(numpy_helper.to_array(f.weights[n.input[1]])) if len(n.input) > 1 else None)
        if axes != [3] or of["keepdims"] or x is None:
            continue
        weight = reshape = None
        if x.op_type == "Mul" and f.made(x.input[0]) is not None and f.made(x.input[0]).op_type == "Concat" and n.op_type == "ReduceSum":
            x, weight = f.made(x.input[0]), x.input[1]
        elif x.op_type == "Reshape":
            x, reshape = f.made(x.input[0]), f.shapes[x.output[0]]
        if x is None or x.op_type != "Concat" or attributes(x)["axis"] != 1 or len(f.readers(x.output[0])) > 1:
            continue
        each = []
        for i, part in enumerate(x.input):
            if weight is not None:
                part = f.put("Mul", [part, weight], f"{out}_weighed{i}")
            if reshape is not None:
                part = f.put("Reshape", [part, f.numbers(1, f.shapes[part][1], *reshape[2:])], f"{out}_shaped{i}")
            each.append(f.put(n.op_type, [part, *n.input[1:]], f"{out}_part{i}", **of))
        f.put("Concat", each, out, axis=1)


def changes(f):
    """Differences to what came some samples earlier: where there is nothing earlier, to itself, so that no mask is needed."""
    (masked,) = [n for n in f.nodes if n.op_type == "Mul" and f.made(n.input[1]) is not None and f.made(n.input[1]).input[0].endswith(".mask_wave")]
    difference = f.made(masked.input[0])
    x, earlier = difference.input[0], f.made(difference.input[1])
    length, pieces = f.shapes[x][2], []
    for pad in map(f.made, earlier.input):
        lag = int(numpy_helper.to_array(f.weights[pad.input[1]])[2])
        assert pad.op_type == "Pad" and pad.input[0] == x
        pieces += [f.part(x, f"{pad.output[0]}_first", 2, 0, lag), f.part(x, f"{pad.output[0]}_rest", 2, 0, length - lag)]
    f.put("Concat", pieces, earlier.output[0] + "_row", axis=2)
    f.put("Reshape", [earlier.output[0] + "_row", f.numbers(1, len(earlier.input), length)], earlier.output[0])
    f.put("Sub", [x, earlier.output[0]], masked.output[0])


def sizes(f):
    """Behind a Gelu nothing lies below -0.17: the largest number bounds the size of all of them."""
    for n in [n for n in f.nodes if n.op_type == "ReduceMax" and n.input[0].endswith("_size")]:
        x = f.made(n.input[0]).input[0]
        half = f.made(x)
        gelu = half.op_type == "Mul" and half.input[1] in f.weights and f.made(half.input[0]) is not None and f.made(half.input[0]).op_type == "Mul" and any(f.made(i) is not None and f.made(i).op_type == "Add" and f.made(f.made(i).input[0]) is not None and f.made(f.made(i).input[0]).op_type == "Erf" for i in f.made(half.input[0]).input)
        if gelu:
            f.put("ReduceMax", [x], n.output[0] + "_above", **attributes(n))
            f.put("Max", [n.output[0] + "_above", f.constant("below_gelu", np.float32(0.17))], n.output[0])


RULES = [bands, residual, means, pools, squeezes, speaker, long_spectrum, parts, changes, sizes]

if __name__ == "__main__":
    source, out = sys.argv[1:3]
    f = File(onnx.load(source))
    for rule in RULES if len(sys.argv) < 4 else [globals()[name] for name in sys.argv[3].split(",") if name]:
        rule(f)
    onnx.save(f.saved(), out)
    print("nodes", len(f.model.graph.node))
