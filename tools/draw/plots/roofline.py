#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The roofline of a GPU with the kernels of the ladder on it, as SVG, from measured results (DIR is docs/results/h200 by default):
  DIR/NN*-gpu.jsonl            times (tools/measure/gpu), flops and bytes by each variant's model
  DIR/paper-times.jsonl, paper-double.jsonl   more of steps 09 to 17 (tools/paper/measure)
  DIR/07-microbenchmarks.jsonl the roofs: multiply-adds, and the ways to fetch
A point is a variant of size N (4096 by default): operations for each byte that its loads, stores and fetches ask for, against
operations a second; hollow where it is in double. Of a step's variants that ask for the same bytes the fastest is drawn, of steps
11 and up the fastest of all. A step none of whose bytes are modelled is marked at the right edge (steps 18 and 19 with their
multiplications alone), and so is cuBLAS. Missing files are left out."""
import glob
import sys
from dataclasses import dataclass

import style

ROOF_COLORS = "#d1383c", "#e69f00", "#009e73", "#0072b2"
ROOFS = {"load-sequential": "device memory", "load-middle": "second-level cache", "load-own": "first-level cache",
         "texture-one": "textures, cached"}


@dataclass
class Kernel:
    step: str
    name: str
    precision: str
    flops: float
    gflops: float
    bytes: float  # 0: not modelled

    @property
    def intensity(self):
        return self.flops / self.bytes

    @property
    def label(self):
        return self.name + (" (double)" if self.precision == "f64" else "")


def kernel_of(row):
    flops = row.model_flops or 2 * row.m * row.n * row.k * (7 / 8) ** row.levels
    volume = row.model_volume_bytes + (row.model_texture_bytes or 0) if row.model_volume_bytes else 0
    return Kernel(row.step[:2], f"{row.step[:2]} {row.variant}", row.precision, flops, flops / row.ms_median / 1e6, volume)


def kernels_of(rows, n):
    rows = [row for row in rows if row.variant and row.step != "21-tensor-cores"  # other units, with roofs of their own
            and (row.precision != "f64" or row.step < "18")  # the last steps in single precision only
            and (row.levels or row.leaf != "dgemm")  # that is the library's product
            and (row.passed or row.repeatable) and row.ms_median and row.m == row.n == row.k == n]
    steps = {}
    for row in rows:
        steps.setdefault(row.step[:2], []).append(kernel_of(row))
    kernels = []
    for step, its in sorted(steps.items()):
        its = [kernel for kernel in its if kernel.bytes] or its
        kernels += [max(its, key=lambda kernel: kernel.gflops)] if step > "10" else its
    kernels += [Kernel("", "cuBLAS", "f32", 0, 2 * n ** 3 / row.reference_ms_median / 1e6, 0) for row in rows
                if row.precision == "f32" and row.reference_ms_median and row.reference.startswith("cuBLAS")]
    fastest = {}
    for kernel in kernels:
        key = (kernel.step, kernel.precision, kernel.bytes)
        fastest[key] = max(fastest.get(key, kernel), kernel, key=lambda one: one.gflops)
    return list(fastest.values())


def roofs_of(rows):
    """[(GB/s of 10^9, name)], the highest first. Roofs closer than a tenth would cover one another: one line has both names."""
    roofs = []
    for rate, name in sorted(((row.gib_per_s * 1.073741824, ROOFS[row.variant]) for row in rows
                              if row.variant in ROOFS and row.gib_per_s and row.flops == 0), reverse=True):
        if roofs and rate > 0.9 * roofs[-1][0]:
            roofs[-1] = (rate, f"{roofs[-1][1]} ({roofs[-1][0]:.0f}) and {name}")
        else:
            roofs.append((rate, name))
    return roofs


def near(a, b, factor):
    return a <= b * factor and b <= a * factor


def labels_of(kernels, line):
    """[x, y, where the label is, the label] from the top: one for points that fall together, and where points are close one label
    below the other, by the factor `line`. Without x: the marks at the right edge."""
    labels = []
    for kernel in sorted(kernels, key=lambda one: -one.gflops):
        x, y = kernel.intensity if kernel.bytes else 0, kernel.gflops
        same = next((label for label in labels if x and near(x, label[0], 1.08) and near(y, label[1], 1.08)), None)
        if same:
            steps = [same[3][:2]] + same[3].split(", ")[1:]
            same[3] += f", {kernel.step}" if kernel.step not in steps else ""
            continue
        at = y
        for label in labels:
            if near(x, label[0], 2.5) and at > label[2] / line:
                at = label[2] / line
        labels.append([x, y, at, kernel.label])
    return labels


def draw(kernels, roofs, peak, title, path):
    figure, axes = style.figure(860, 600, 660)
    points, marks = [one for one in kernels if one.bytes], [one for one in kernels if not one.bytes]
    xs, ys = [one.intensity for one in points] + [peak / rate for rate, _ in roofs if peak], [one.gflops for one in points]
    x0, x1 = min(one.intensity for one in points) / 4, max(xs) * (100 if style.PHONE else 6)  # all points and the lowest roof's corner
    y0, y1 = min(ys) / 3, max(ys + [peak]) * 2
    axes.set_title(style.wrapped(title))
    axes.set(xlabel="operations for each byte asked for" + ("" if style.PHONE else " (by the model of each kernel)"), ylabel="GFLOP/s")
    style.logarithmic(axes.xaxis)
    style.logarithmic(axes.yaxis)
    axes.set(xlim=(x0, x1), ylim=(y0, y1))
    if peak:
        axes.plot([x0, x1], [peak, peak], color=style.FAINT)
        axes.annotate(f"multiply-adds: {peak:.0f} GFLOP/s", (x0, peak), (6, 6), textcoords="offset points", color=style.FAINT)
    for i, (rate, name) in enumerate(roofs):
        corner = min(x1, peak / rate if peak else x1)
        axes.plot([x0, corner], [rate * x0, rate * corner], color=ROOF_COLORS[i])
        name = f"{name}, {rate:.0f} GB/s"  # down in the right, one below the other
        name, high = (name.replace(" and ", "\n"), 0.1) if style.PHONE else (name, 0.045)
        axes.text(0.98, 0.03 + high * i, name, transform=axes.transAxes, ha="right", va="bottom", color=ROOF_COLORS[i])
    small = {"fontsize": style.SMALL, "color": style.TEXT, "va": "center", "bbox": {"facecolor": "white", "edgecolor": "none", "pad": 1}}
    factor = (y1 / y0) ** 0.03
    for x, _, at, label in labels_of(points, factor):
        axes.annotate(label, (x, at), (7, 0), textcoords="offset points", **small)
    if marks:
        axes.text(0.995, 0.985, "bytes not modelled", transform=axes.transAxes, ha="right", va="top", fontsize=style.SMALL, color="#777777")
    for _, y, at, label in labels_of(marks, factor):
        edge = axes.get_yaxis_transform()
        axes.plot([0.97, 1], [y, y], color=style.TEXT, linewidth=2, transform=edge)
        axes.text(0.965, at, label, transform=edge, ha="right", **small)
    for one in points:
        axes.plot(one.intensity, one.gflops, "o", color=style.TEXT, markerfacecolor="white" if one.precision == "f64" else style.TEXT)
    style.save(figure, path)
    return f"{len(points)} points, {len(marks)} marks, {len(roofs)} roofs"


def size(text):
    if not text.isdigit() or text.startswith("0"):
        print(f"--n takes a whole number from 1, not '{text}'", file=sys.stderr)
        sys.exit(2)
    return int(text)


def main():
    asked = style.options(__doc__, f"{style.ROOT}/docs/results/h200", f"{style.ROOT}/docs/results/roofline.svg",
                          [("--n", {"type": size, "default": 4096, "metavar": "N"})])
    steps = style.rows_of(*sorted(glob.glob(f"{asked.results}/[0-9]*-gpu.jsonl")))
    kernels = kernels_of(steps + style.rows_of(f"{asked.results}/paper-times.jsonl", f"{asked.results}/paper-double.jsonl"), asked.n)
    if not any(kernel.bytes for kernel in kernels):
        return style.resource(f"no measured times for n = {asked.n} in {asked.results}/NN*-gpu.jsonl (tools/measure/gpu measures)")
    rates = style.rows_of(f"{asked.results}/07-microbenchmarks.jsonl")
    if not rates:
        style.resource(f"no {asked.results}/07-microbenchmarks.jsonl: points without roofs")
    peak = next((row.gflops for row in rates if row.variant == "multiply-add" and row.gflops), 0)
    device = next(row.device for row in steps if row.variant)
    drawn = draw(kernels, roofs_of(rates), peak, f"The kernels of the ladder under the roofs of one GPU, n = {asked.n}: {device}",
                 asked.out)
    print(f"{asked.out}: {drawn}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
