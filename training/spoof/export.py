"""Owns the step from trained weights to ONNX: branches are put together, weights stored as 16-bit floats and widened when the file is loaded.

Usage: export.py torch TASK PROTOCOL OUT.onnx WEIGHTS.pt:BRANCH:SHARE [WEIGHTS.pt:BRANCH:SHARE ...]     (needs torch)
       export.py views WEIGHTS.pt COPY FUSION.json OUT.onnx      page-wise training: FUSION by calibrate_pages.py (needs torch)
       export.py halve IN.onnx OUT.onnx      16-bit weights, the first output alone (needs onnx)
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
    saved, maps = torch.load(weights, map_location="cpu"), json.load(open(fusion))["views"]
    one = lambda name: load(nets.make(name.removeprefix("earlier-")), saved[f"synthetic/{name}/{copy}"])
    parts = {v: ["earlier-wide", "earlier-short", "earlier-long"] if v == "earlier" else [v] for v in maps}
    model = nets.Fused([([one(n) for n in parts[v]], m["slope"], m["offset"]) for v, m in maps.items()]).eval()
    names = ["score", "members", "distance"][: 3 if any(v.startswith("stats") for v in maps) else 2]
    torch.onnx.export(model, torch.randn(2, 64000) * 1000, out, input_names=["wave"], output_names=names, dynamic_axes={n: {0: "B"} for n in ["wave", *names]}, opset_version=15)
    print("parameters", sum(p.numel() for p in model.parameters()))


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


def halve(source, out):
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    m = onnx.load(source)
    del m.graph.output[1:]  # members and distance: no use was found for them
    casts = []
    for t in m.graph.initializer:
        size = int(np.prod(t.dims))
        exact = t.name.endswith((".mean", ".sd")) or "basis" in t.name and size < 300000  # small, and rounding them shows in the score
        if t.data_type == TensorProto.FLOAT and size >= 256 and not exact:
            w = numpy_helper.to_array(t).astype(np.float16)
            name = t.name
            t.CopyFrom(numpy_helper.from_array(w, name + "_h"))
            casts.append(helper.make_node("Cast", [name + "_h"], [name], to=TensorProto.FLOAT))
    nodes = casts + list(m.graph.node)
    del m.graph.node[:]
    m.graph.node.extend(nodes)
    m.producer_name = "voxgate-training"
    onnx.checker.check_model(m)
    onnx.save(m, out)


if __name__ == "__main__":
    {"torch": to_onnx, "views": views, "halve": halve}[sys.argv[1]](*sys.argv[2:])
