"""Owns the step from trained weights to ONNX: branches are put together, weights stored small and widened when the file is loaded.

Usage: export.py torch TASK PROTOCOL OUT.onnx WEIGHTS.pt:BRANCH:SHARE [WEIGHTS.pt:BRANCH:SHARE ...]     (needs torch)
       export.py views WEIGHTS.pt[+MORE.pt] COPY FUSION.json OUT.onnx      page-wise training: FUSION by calibrate_pages.py (needs torch)
       export.py fold IN.onnx OUT.onnx       what does not depend on the input is computed now (needs onnx and onnxruntime)
       export.py halve IN.onnx OUT.onnx      16-bit weights, large matrices in 8, spectra made when the file is loaded; the first output alone (needs onnx)
"""
import sys


def load(net, state):
    import torch
    missing = net.load_state_dict({k: v.float() if v.dtype == torch.float16 else v for k, v in state.items()}, strict=False)
    assert all("basis" in k for k in missing.missing_keys) and not missing.unexpected_keys, missing
    return net.eval()


def views(weights, copy, fusion, out):
    """FUSION: {"views": {name: {slope, offset}}}; `earlier` stands for the three networks of revision 3, saved as synthetic/earlier-NAME/COPY."""
    import json

    import torch
    import nets
    saved, maps = {k: v for w in weights.split("+") for k, v in torch.load(w, map_location="cpu").items()}, json.load(open(fusion))["views"]
    maps = dict(sorted(maps.items(), key=lambda m: (not m[0].startswith("rich"), not m[0].startswith("enc"))))  # first, for these give what they compute to others
    one = lambda name: load(nets.make(name.removeprefix("earlier-")), saved[f"synthetic/{name}/{copy}"])
    parts = {v: ["earlier-wide", "earlier-short", "earlier-long"] if v == "earlier" else [v] for v in maps}
    model = nets.Fused([([one(n) for n in parts[v]], m["slope"], m["offset"]) for v, m in maps.items()]).eval()
    served(model)
    names = ["score", "members"]
    torch.onnx.export(model, torch.randn(2, 64000) * 1000, out, input_names=["wave"], output_names=names, dynamic_axes={n: {0: "B"} for n in ["wave", *names]}, opset_version=15)
    print("parameters", sum(p.numel() for p in model.parameters()))


def served(model):
    """Statistics as few, large operations, computed once; the spectrum of 20 ms too."""
    from encoder_time import Frames
    from encoder_view import Standard
    from rich_graph import RichGraph
    from rich_view import RichBranch
    branches = [b for group in model.groups for b in group]
    encoders = [b.spectrum for b in branches if type(b.spectrum) is Standard]
    for b in branches:
        if type(b.spectrum) is Frames and encoders:
            b.spectrum.share(encoders[0])
    rich = [b for b in branches if isinstance(b, RichBranch)]
    if not rich:
        return
    own = rich[0].spectrum
    for b in rich[1:]:
        assert all((v == own.state_dict()[k]).all() for k, v in b.spectrum.state_dict().items()), "members over statistics of several kinds"
    fine = own.base.fine
    alike = [b.spectrum for b in branches if hasattr(b.spectrum, "basis") and (b.spectrum.basis.shape, b.spectrum.hop) == (fine.basis.shape, fine.hop)]
    graph = RichGraph(own, alike)
    for b in rich:
        b.spectrum = graph


def to_onnx(task, protocol, out, *items):
    import torch
    import nets
    parts, shares = [], []
    for item in items:
        weights, name, share = item.rsplit(":", 2)
        saved = torch.load(weights, map_location="cpu")
        parts.append(load(nets.BRANCHES[name](), saved[f"{task}/{name}/{protocol}"]))
        shares.append(float(share))
    model = nets.Mean(parts, shares).eval()
    x = torch.randn(2, 64000) * 1000
    torch.onnx.export(model, x, out, input_names=["wave"], output_names=["score"], dynamic_axes={"wave": {0: "B"}, "score": {0: "B"}}, opset_version=15)
    print("parameters", sum(p.numel() for p in model.parameters()))


def fold(source, out, most=65536):
    """Nodes over constants become constants, unless that makes the file much larger."""
    import onnx
    import onnxruntime
    from onnx import helper, numpy_helper
    m = onnx.load(source)
    g = m.graph
    for n in [n for n in g.node if n.op_type == "Constant"]:
        value = numpy_helper.from_array(numpy_helper.to_array(n.attribute[0].t), n.output[0])
        g.initializer.append(value), g.node.remove(n)
    known, constant = {t.name for t in g.initializer}, []
    for n in g.node:
        if all(i in known for i in n.input if i):
            constant.append(n), known.update(n.output)
    rest = [n for n in g.node if n not in constant]
    wanted = sorted({i for n in rest for i in n.input} & {o for n in constant for o in n.output})
    read = {i for n in constant for i in n.input}
    part = helper.make_graph(constant, "constant", [], [helper.make_empty_tensor_value_info(o) for o in wanted], [t for t in g.initializer if t.name in read])
    values = onnxruntime.InferenceSession(helper.make_model(part, opset_imports=m.opset_import, ir_version=m.ir_version).SerializeToString()).run(wanted, {}) if wanted else []
    small = {o: v for o, v in zip(wanted, values) if v.nbytes <= most}
    g.initializer.extend(numpy_helper.from_array(v, o) for o, v in small.items())
    needed, keep = {i for n in rest for i in n.input} - set(small), []
    for n in reversed(constant):  # what a large constant is made of stays
        if needed & set(n.output) - set(small):
            keep.append(n), needed.update(n.input)
    nodes = keep[::-1] + rest
    used = {i for n in nodes for i in n.input}
    weights = [t for t in g.initializer if t.name in used]
    del g.node[:], g.initializer[:]
    g.node.extend(nodes), g.initializer.extend(weights)
    onnx.save(m, out)
    print("nodes", len(nodes))


def dft(name, value):
    """A spectrum's basis (spectra.Spectrum) as what it is made of: (constants, nodes), made into a matrix when the file is loaded; None where it is something else."""
    import numpy as np
    from onnx import helper, numpy_helper
    rows, _, window = value.shape
    n, k = np.arange(window, dtype=np.float64), np.arange(1, rows // 2 + 1, dtype=np.float64)
    win = 0.5 - 0.5 * np.cos(2 * np.pi * (n + 0.5) / window)
    win /= np.sqrt((win * win).sum())
    for size in (64, 128, 256, 512, 1024, 2048):
        angle = 2 * np.pi * k[:, None] * n[None] / size
        if np.abs(np.concatenate([np.cos(angle) * win, np.sin(angle) * win]) - value[:, 0]).max() < 1e-6:
            break
    else:
        return None
    constants = {"k": k[:, None], "n": n[None], "size": np.array(size), "turn": np.array(2 * np.pi / size), "win": win}
    node = lambda op, inputs, output, **more: helper.make_node(op, [f"{name}_{i}" for i in inputs], [output if output == name else f"{name}_{output}"], **more)
    nodes = [node("MatMul", ["k", "n"], "kn"), node("Mod", ["kn", "size"], "part", fmod=1), node("Mul", ["part", "turn"], "angle"), node("Cos", ["angle"], "cos"), node("Sin", ["angle"], "sin"),
             node("Concat", ["cos", "sin"], "both", axis=0), node("Mul", ["both", "win"], "flat"), node("Unsqueeze", ["flat", "one"], name)]
    return [numpy_helper.from_array(np.asarray(v, np.float32), f"{name}_{c}") for c, v in constants.items()] + [numpy_helper.from_array(np.array([1], np.int64), f"{name}_one")], nodes


def bytes_of(name, value):
    """A large matrix in 8 bits, by rows."""
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper
    scale = np.maximum(np.abs(value).max(tuple(range(1, value.ndim)), keepdims=True), 1e-12) / 127
    node = [helper.make_node("Cast", [name + "_b"], [name + "_f"], to=TensorProto.FLOAT), helper.make_node("Mul", [name + "_f", name + "_scale"], [name])]
    return [numpy_helper.from_array(np.round(value / scale).astype(np.int8), name + "_b"), numpy_helper.from_array(scale.astype(np.float32), name + "_scale")], node


def halve(source, out):
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    m = onnx.load(source)
    del m.graph.output[1:]  # the members serve training alone
    made, kept = [], []
    for t in m.graph.initializer:
        size, value = int(np.prod(t.dims)), numpy_helper.to_array(t)
        exact = t.name.endswith((".mean", ".sd", "_scale", "_window")) or "basis" in t.name and size < 300000  # small, and rounding them shows in the score
        constants, nodes = (t.name.endswith(".basis") and dft(t.name, value)) or (t.data_type == TensorProto.FLOAT and "basis" not in t.name and (size > 700_000 or value.ndim == 2 and size > 200_000) and bytes_of(t.name, value)) or ([t], [])
        if not nodes and t.data_type == TensorProto.FLOAT and size >= 2048 and not exact:
            constants, nodes = [numpy_helper.from_array(value.astype(np.float16), t.name + "_h")], [helper.make_node("Cast", [t.name + "_h"], [t.name], to=TensorProto.FLOAT)]
        kept += constants
        made += nodes
    nodes = made + list(m.graph.node)
    del m.graph.node[:], m.graph.initializer[:]
    m.graph.node.extend(nodes), m.graph.initializer.extend(kept)
    m.producer_name = "voxgate-training"
    onnx.checker.check_model(m)
    onnx.save(m, out)


if __name__ == "__main__":
    {"torch": to_onnx, "views": views, "fold": fold, "halve": halve}[sys.argv[1]](*sys.argv[2:])
