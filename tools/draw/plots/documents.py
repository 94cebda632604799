# SPDX-License-Identifier: MIT
"""The plots of ./ladder paper, an item's cells: the document's lines are dashed, ours solid."""
import style


def points(item, row, at):
    """The cells of a row that have a number."""
    cells = [(column, at(row, column)) for column in item.columns]
    return [[float(x) for x, y in cells if y], [float(y) for _, y in cells if y]]


def draw_lines(item, axes):
    """A line for each row of the table."""
    for i, row in enumerate(item.rows):
        color, ran = style.COLORS[i % len(style.COLORS)], item.what_ran(row)
        x, y = points(item, row, item.theirs_at)
        if x:
            axes.plot(x, y, "o", linestyle=(0, (1.5, 2)), color=color, markerfacecolor="white", linewidth=1,
                      label=f"{row}, document")
        x, y = points(item, row, item.ours_at)
        if x:
            axes.plot(x, y, "o-", color=color, linewidth=2, label=f"{row}, ours{': ' if ran else ''}{ran}")
    if item.scale == "logarithmic":
        style.logarithmic(axes.yaxis)
        if item.x != "levels":
            style.logarithmic(axes.xaxis)
    labels = ["1000, 1024" if n == "1024" and "1000" in item.columns else n for n in item.columns]  # they would overlap
    style.ticks(axes, [float(n) for n in item.columns], ["" if n == "1000" else n for n in labels])


def draw_points(item, axes):
    """A point for each row: the first column over each of the others. What is far below the diagonal is left out."""
    axes.plot([0, 50], [0, 50], color="#888888", linewidth=1, label="equal")
    axes.set(xlim=(0, 50), ylim=(0, 50))
    for i, column in enumerate(item.columns[1:]):
        for at, whose, filled in (item.theirs_at, "document", False), (item.ours_at, "ours", True):
            cells = [(at(row, column), at(row, item.columns[0])) for row in item.rows]
            color = style.COLORS[(1, 0, 2)[i]]
            axes.plot([float(x) for x, y in cells if x and y], [float(y) for x, y in cells if x and y], "o", color=color,
                      markerfacecolor=color if filled else "none", label=f"{column}, {whose}")


def draw(item, results, path):
    """Draws an item's cells into an SVG file. Returns None when it is drawn, or why it is not."""
    if not item.x:
        return "its columns are no axis"
    if style.MISSING:
        return style.MISSING
    figure, axes = style.figure(820, 440, 720)
    axes.set_title(style.wrapped(f"{item.document}, {item.title}"))
    axes.set(xlabel=item.x, ylabel=item.y)
    (draw_points if item.scale == "points" else draw_lines)(item, axes)
    style.key(axes)
    if item.files:
        figure.supxlabel(style.wrapped(f"ours: {results.conditions(item.files[0])}"), fontsize=style.SMALL, color=style.FAINT,
                         x=0.99, ha="right")
    style.save(figure, path)
    return None
