# SPDX-License-Identifier: MIT
"""What a command of a step names that its sources no longer have: an option, a variant, a leaf, or the program."""
import functools
import glob
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# ./ladder run NN ..., or a program's name, and the words that follow
CALL = re.compile(r"(?:\bladder run +(\d\d?)(?:\.sim)?|\b((\d\d)-[a-z][a-z0-9-]*)(?:\.[a-z0-9]+)*)((?: +[^\s`|*#;)&]+)+)")
FRONT_DOOR = "yes", "help"  # ./ladder's own


@functools.lru_cache(None)
def sources(*folders):
    """The text of all files below these folders but pages and pictures."""
    paths = (path for folder in folders for path in glob.glob(f"{ROOT}/{folder}/**", recursive=True))
    text = ""
    for path in sorted(path for path in paths if os.path.isfile(path) and not path.endswith((".md", ".svg", ".pyc"))):
        with open(path, encoding="utf-8") as file:
            text += file.read()
    return text


def gone(text):
    """The words of the commands in a text that no longer mean anything, in their order."""
    found = []
    for number, program, numbered, more in CALL.findall(text):
        words, step = more.split(), glob.glob(f"{ROOT}/steps/{(number or numbered).zfill(2)}-*")
        if program and (os.path.isdir(f"{ROOT}/exercises/{program}") or not words[0].startswith("-")):
            continue  # an exercise; or a page, and words
        own = os.path.relpath(step[0], ROOT) if step else "-"
        if not step or program and f"steps/{program}" != own and program not in sources(own):
            found.append(program or f"run {number}")
            continue
        for i, word in enumerate(words):
            option, _, value = word.lstrip("-").partition("=")
            if not re.fullmatch("--[a-z][a-z0-9-]*(=.*)?", word) or option in FRONT_DOOR:
                continue
            if not re.search(f'"(--)?{option}"', sources(own, "common")) and f"--{option}" not in sources(own):
                found.append(f"--{option}")
            names = (value or " ".join(words[i + 1:i + 2])).split(",") if option in ("variant", "leaf") else []
            found += [name for name in names if re.fullmatch("[a-z][a-z0-9-]*", name) and f'"{name}"' not in sources("steps", "common")]
    return list(dict.fromkeys(found))
