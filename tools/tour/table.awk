# SPDX-License-Identifier: MIT
# awk -v columns=COLUMNS -f table.awk ROWS: the ladder as a table, and its legend. Where COLUMNS are too few for the table (0: never),
# each step's numbers follow one another. ROWS (tools/tour/tour writes them): for each step a line with its name, idea, verdict, exit
# status and first error, separated by tabs, and then its lines of JSON. With -v plot=1 it writes the plot's data, too: `bars`, a
# line for each timed step (y, step, GFLOP/s, label, where the label begins), `vendor`, two points for the library's line, and
# `device`. Of the numbers below "" means unknown.

# A field of the line $0, which common/measure/json.h has written: there is no blank between a name and its value, and a quote in a
# text has a backslash before it.
function value(name,    at, text) {
    at = index($0, "\"" name "\":")
    if (!at)
        return ""
    text = substr($0, at + length(name) + 3)
    if (text !~ /^"/) {
        sub(/[,}].*/, "", text)
        return text == "null" ? "" : text ~ /^[-0-9]/ ? text + 0 : text
    }
    match(text, /^"([^"\\]|\\.)*/)
    text = substr(text, 2, RLENGTH - 1)
    gsub(/\\\\/, "\001", text) # each is one backslash of the text
    gsub(/\\"/, "\"", text)
    gsub(/\\u00../, " ", text) # the end of a line, a tab
    gsub(/\001/, "\\\\", text)
    return text
}

# On the simulated GPU the best variant has the fewest transactions, elsewhere it is the fastest.
function is_best(row) {
    if (variant[row] == "")
        return 1
    if (backend[row] == "sim")
        return value("transactions") != "" && (transactions[row] == "" || value("transactions") < transactions[row])
    return value("gflops") != "" && (gflops[row] == "" || value("gflops") > gflops[row])
}

function cell(format, x) { return x == "" ? "-" : sprintf(format, x) }
function time_cell(ms) { return ms >= 1000 ? cell("%.2f s", ms / 1000) : cell(ms < 1 ? "%.4f ms" : "%.2f ms", ms) }
function append(list, word) { return list (list == "" ? "" : ", ") word }

# Where a line is broken that is longer than `room`: at its last blank, or where a sentence ends in its second half. Its first word
# begins after `from`.
function break_of(text, from, room,    at, cut) {
    for (at = room + 1; at > from; at--)
        if (substr(text, at, 1) == " ") {
            if (at > room / 2 && substr(text, at - 1, 1) ~ /[.;]/)
                return at
            cut = cut ? cut : at
        }
    return cut ? cut : from + index(substr(text, from + 1) " ", " ")
}

# Prints a text in lines of at most `width` columns; those after the first are indented.
function say(text, indent,    from, room, cut) {
    from = indent
    for (room = width; length(text) > room; room = width - indent) {
        cut = break_of(text, from, room)
        printf "%s\n%*s", substr(text, 1, cut - 1), indent, ""
        text = substr(text, cut)
        sub(/^ +/, "", text)
        from = 0
    }
    print text
}

BEGIN {
    FS = "\t"
    narrow = columns > 0 && columns < 93 # the width of a row of the table
    width = narrow ? columns : 100
    timed_row = "  %-20s %6s %10s %9s %9s %10s  %s\n"
    counted_row = "  %-20s %6s %12s %12s %8s %9s %10s  %s\n"
}

/^[^{]/ {
    count++
    step[count] = $1
    idea[count] = $2
    verdict[count] = $3
    status[count] = $4
    why[count] = $5
    ran[count] = $3 != "skipped" && $3 != "failed"
    next
}

{
    lines[count]++
    backend[count] = value("backend")
    device[count] = value("device")
}

value("passed") != "true" {
    wrong[count]++
    note[count] = note[count] (note[count] == "" ? "" : "; ") value("variant") ": " value("reason")
    next
}

is_best(count) {
    variant[count] = value("variant")
    vendor[count] = value("reference")
    n[count] = value("n")
    threads[count] = value("threads") > 1 ? ", " value("threads") " threads" : "" # of the host
    ms[count] = value("ms_median")
    gflops[count] = value("gflops")
    ratio[count] = value("ratio") # the vendor's time over ours
    error[count] = value("max_error")
    transactions[count] = value("transactions")
    bytes[count] = value("volume_bytes")
    fetches[count] = value("texture_fetches")
    model[count] = transactions[count] == "" || value("model_transactions") == "" ? "-" : \
        transactions[count] == value("model_transactions") && bytes[count] == value("model_volume_bytes") ? "equal" : "differs"
}

# Why a row is not right.
function add_note(row) {
    if (wrong[row]) {
        note[row] = wrong[row] " of " lines[row] " variants: " note[row]
    } else if (verdict[row] != "right") {
        sub("^" step[row] "([.]sim)?: ", "", why[row])
        sub(/^skipped: /, "", why[row])
        note[row] = why[row] != "" || verdict[row] == "skipped" ? why[row] : \
            status[row] > 128 ? "ended by signal " status[row] - 128 : "ended with status " status[row]
    }
}

# Explains and names the columns of the following rows.
function print_heading(counted) {
    if (counted)
        print "Counted: memory traffic of the variant that moves least. model: the step's\n" \
            "formula, equal or not; x step 06: transactions relative to step 06's at the same n\n" \
            "(not for steps that read textures: fetches are not transactions)."
    else
        print "Timed: the fastest variant. GFLOP/s: 2mnk / time; x vendor: speed relative to the vendor\n" \
            "library's on the same problem, timed in turn."
    if (!narrow && counted)
        printf counted_row, "variant", "n", "transactions", "bytes", "model", "x step 06", "max error", "verdict"
    else if (!narrow)
        printf timed_row, "variant", "n", "time", "GFLOP/s", "x vendor", "max error", "verdict"
}

# The row's transactions relative to step 06's, if step 06 was counted at the same size. Rows that fetch through textures, which
# are not transactions, have no such number.
function times_step_06(row,    i) {
    for (i = 1; i <= count; i++)
        if (step[i] ~ /^06-/ && backend[i] == "sim" && n[i] == n[row] && !(fetches[row] > 0) && transactions[row] != "" &&
            transactions[i] > 0)
            return transactions[row] / transactions[i]
    return ""
}

function print_numbers(row,    format) {
    if (backend[row] == "sim") {
        format = narrow ? "  %s, n = %s: %s transactions, %s bytes, model: %s, %s x step 06, max error %s, %s" : counted_row
        format = sprintf(format, variant[row], cell("%.0f", n[row]),
            transactions[row] == "" ? "not counted" : sprintf("%.0f", transactions[row]), cell("%.0f", bytes[row]),
            model[row] == "" ? "-" : model[row], cell("%.3f", times_step_06(row)), cell("%.1e", error[row]), verdict[row])
    } else {
        format = narrow ? "  %s, n = %s: %s, %s GFLOP/s, %s x vendor, max error %s, %s" : timed_row
        format = sprintf(format, variant[row], cell("%.0f", n[row]), time_cell(ms[row]), cell("%.2f", gflops[row]),
            cell("%.3f", ratio[row]), cell("%.1e", error[row]), verdict[row])
    }
    if (narrow)
        say(format, 6)
    else
        printf "%s", format
}

# Two lines for each step.
function print_table(    row, counted, before) {
    before = -1
    for (row = 1; row <= count; row++) {
        counted = backend[row] == "sim"
        if (ran[row] && counted != before) {
            if (row > 1)
                print ""
            print_heading(counted)
            before = counted
        }
        say(step[row] "  " idea[row], length(step[row]) + 2)
        if (ran[row])
            print_numbers(row)
        if (note[row] != "" || !ran[row])
            say((ran[row] ? "    " : "  " verdict[row] ": ") note[row], ran[row] ? 8 : 6)
    }
}

# What the numbers mean, where each step ran, which were skipped, and why.
function print_legend(    row, vendors, alone, place, places, place_of, seen, left_out) {
    for (row = 1; row <= count; row++) {
        if (vendor[row] != "" && !(vendor[row] in seen))
            vendors = append(vendors, vendor[row])
        seen[vendor[row]] = 1
        if (!ran[row])
            continue
        if (gflops[row] != "" && vendor[row] == "")
            alone = append(alone, substr(step[row], 1, 2))
        place = (backend[row] == "sim" ? "the simulated GPU (no GPU was found; counts, no times)" : device[row]) threads[row]
        if (!(place in place_of))
            place_of[++places] = place
        place_of[place] = append(place_of[place], substr(step[row], 1, 2))
    }
    if (vendors != "")
        say("The vendor's library: " vendors ".", 4)
    if (alone != "")
        say("No vendor library was found to compare with on steps " alone ".", 4)
    for (row = 1; row <= places; row++)
        say("Ran on " place_of[row] ": steps " place_of[place_of[row]], 4)
    for (row = 1; row <= count; row++)
        if (!ran[row]) {
            left_out = 1
            say(verdict[row] ": " step[row] ": " note[row], 4)
        }
    if (!left_out)
        print "Nothing was skipped."
}

function write_plot(    row, y, theirs, label) {
    printf "" >"vendor"
    for (row = 1; row <= count; row++)
        if (gflops[row] > 0) {
            y++
            if (y == 1)
                printf "%s", device[row] >"device"
            theirs = ratio[row] > 0 ? gflops[row] / ratio[row] : 0
            # A label that would cross the vendor's line begins after it.
            label = theirs > gflops[row] && theirs < 2.5 * gflops[row] ? theirs : gflops[row]
            printf "%d\t%s\t%.10g\t%.3g  %s%s\t%.10g\n", y, step[row], gflops[row], gflops[row], variant[row], threads[row],
                label >"bars"
            if (theirs)
                printf "%.10g\t%g\n%.10g\t%g\n", theirs, y - 0.5, theirs, y + 0.5 >"vendor"
        }
}

END {
    for (row = 1; row <= count; row++)
        add_note(row)
    print_table()
    print ""
    print_legend()
    if (plot)
        write_plot()
}
