# SPDX-License-Identifier: MIT
# awk -v folder=FOLDER -f entries.awk TEXT: writes each entry of a text to a file in the folder, and prints the files' names in
# order. An entry begins after a line "==== NAME" and ends before the next such line; the text before the first is a comment.
# An entry "==== NAME of BASE" is BASE, an earlier one, with mistakes. Its first line replaces the first of BASE. "- OLD" and
# maybe "+ NEW" after it change a place that is there once, "= TEXT // MARK" puts a mark at the end of the line with
# TEXT, and all other lines go to the end. So the lines keep their numbers.

# Puts `new` in the place of `old`, or at the end of its line.
function change(old, new, at_end,    i, at, count, line) {
    for (i = 1; i <= lines; i++)
        if ((at = index(text[i], old))) {
            count += 1 + (index(substr(text[i], at + 1), old) > 0)
            line = i
        }
    if (count != 1) {
        print base " does not have this once: " old >"/dev/stderr"
        exit failed = 1
    }
    at = index(text[line], old)
    text[line] = at_end ? text[line] new : substr(text[line], 1, at - 1) new substr(text[line], at + length(old))
}
function take_back() { # "- OLD" without "+ NEW"
    if (removed != "")
        change(removed, "")
    removed = ""
}
function is_written(file,    i, line, same) { # then it is not written again
    for (same = 1; same && (getline line <file) > 0;)
        same = line == text[++i]
    close(file)
    return same && i == lines
}
function write_entry(    i, file) {
    take_back()
    file = folder "/" name
    if (name == "")
        return
    if (name ~ "/")
        system("mkdir -p $(dirname '" file "')")
    if (!is_written(file)) {
        for (i = 1; i <= lines; i++)
            print text[i] >file
        close(file)
    }
    print name
}

/^==== / {
    write_entry()
    name = substr($0, 6)
    base = ""
    lines = 0
    if ((at = index(name, " of "))) {
        base = substr(name, at + 4)
        name = substr(name, 1, at - 1)
        while ((getline text[++lines] <(folder "/" base)) > 0)
            ;
        close(folder "/" base)
        lines--
        first = 1
    }
    next
}
name == "" { next }
base == "" { text[++lines] = $0; next }
first { text[1] = $0; first = 0; next }
/^\+ / && removed != "" { change(removed, substr($0, 3)); removed = ""; next }
{ take_back() }
/^- / { removed = substr($0, 3); next }
/^= .* \/\/ / {
    match($0, /.* \/\/ /)
    change(substr($0, 3, RLENGTH - 6), substr($0, RLENGTH - 3), 1)
    next
}
{ text[++lines] = $0 }
END { if (!failed) write_entry(); exit failed }
