#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Grades a submission for Classroom 50 (docs/classroom/formats.md): the student's repository is the
current folder, and the checking programs are next to this file. The assignment's `runtime` must name these
packages under `apt`: binutils, cmake, g++, gcc, ninja-build."""

import os
import pathlib
import subprocess

here = pathlib.Path(__file__).resolve().parent
build = pathlib.Path(os.environ.get("LADDER_BUILD", here / "build"))
if not (build / "bin" / "lab").exists():
    options = ["-DLADDER_CUDA=OFF", "-DBUILD_TESTING=OFF"]
    subprocess.run(["cmake", "-S", here, "-B", build, "-G", "Ninja", *options], check=True)
    targets = ["lab", "lab_cpu_parts", "lab_sim_parts"]
    subprocess.run(["cmake", "--build", build, "--target", *targets], check=True)

environment = dict(os.environ, LADDER_LAB=str(pathlib.Path.cwd() / "lab"), LADDER_LAB_BUILT="yes")
command = [build / "bin" / "lab", "score", "--recheck", "--no-gpu", "--classroom50"]
with open("result.json", "wb") as result:
    subprocess.run(command, env=environment, stdout=result, check=True)
