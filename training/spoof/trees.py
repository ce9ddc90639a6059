"""Owns the second judge of the statistics: trees grown on what train_pages.py dumped (statistics of damaged training crops, and of the windows that are judged). One forest for each fold and one, `all`, that may ship.

Usage: trees.py DUMP.npz BENCH OUT     writes OUT/trees-scores.npz (keys condition/boost/copy, condition/forest/copy) and OUT/trees-all.npz (the trees as tables)
"""
import json
import sys
import time

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier

t0 = time.time()
say = lambda *m: print("[trees %.0fs]" % (time.time() - t0), *m, flush=True)


def grow(kind, x, y, w):
    if kind == "boost":
        net = HistGradientBoostingClassifier(max_iter=300, learning_rate=0.05, max_leaf_nodes=12, min_samples_leaf=40, l2_regularization=5.0, max_features=0.15, early_stopping=False, random_state=1)
    else:
        net = ExtraTreesClassifier(n_estimators=160, max_features=0.1, max_leaf_nodes=400, min_samples_leaf=4, n_jobs=6, random_state=1)
    use = w > 0
    return net.fit(x[use], y[use])


def logit(net, x):
    p = net.predict_proba(x)[:, 1].clip(1e-4, 1 - 1e-4)
    return np.log(p / (1 - p))


def tables(kind, net):
    """Every tree as rows of (tree, node, feature, threshold, left, right, value); a leaf has feature -1."""
    rows = []
    for k, t in enumerate(net._predictors if kind == "boost" else net.estimators_):
        if kind == "boost":
            for i, n in enumerate(t[0].nodes):
                leaf = bool(n["is_leaf"])
                rows.append((k, i, -1 if leaf else n["feature_idx"], 0 if leaf else n["num_threshold"], n["left"], n["right"], n["value"]))
        else:
            tree = t.tree_
            share = tree.value[:, 0, 1] / tree.value[:, 0].sum(1)
            rows += [(k, i, max(-1, tree.feature[i]), tree.threshold[i], tree.children_left[i], tree.children_right[i], share[i]) for i in range(tree.node_count)]
    return np.array(rows, np.float64)


def main(dump, bench, out):
    d, index, scores, kept = np.load(dump), json.load(open(bench + "/index.json")), {}, {}
    x, y, w = np.nan_to_num(d["x"].astype(np.float32)), d["y"], d["w"]
    names = [f"f{k}" for k in range(len(w) - 1)] + ["all"]
    say("rows", x.shape, "copies", names)
    for kind in ("boost", "forest"):
        for name, weight in zip(names, w):
            net = grow(kind, x, y, weight)
            for c, owner in index["owner"].items():
                z, count = logit(net, np.nan_to_num(d["bench/" + c].astype(np.float32))), np.bincount(owner, minlength=len(index["rows"]))
                scores[f"{c}/{kind}/{name}"] = np.where(count > 0, np.bincount(owner, z, len(count)) / np.maximum(count, 1), np.nan).astype(np.float32)
            say(kind, name)
            if name == "all":
                kept[kind] = tables(kind, net)
                if kind == "boost":
                    kept["base"] = np.ravel(net._baseline_prediction)
        np.savez_compressed(out + "/trees-scores.npz", **scores)
        np.savez_compressed(out + "/trees-all.npz", **kept)


if __name__ == "__main__":
    main(*sys.argv[1:])
