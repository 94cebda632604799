# SPDX-License-Identifier: MIT
"""phone.py OUT: draws the pictures of the chapters once more for a window of 390 pixels, from the drawings themselves: a
drawing's parts are placed below one another, as wide as the window, and its sentences are broken. What the parts are is the table
LAYOUTS. No letter is smaller than 12 of 390 units, which is 11 pixels there. A drawing of which no part remains where the
table says is an error. (The plots are drawn for a phone by tools/draw, with LADDER_PHONE=1.)"""
import copy
import glob
import os
import re
import sys
import xml.etree.ElementTree as ElementTree
from xml.sax.saxutils import escape

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
WIDE, EDGE, LEAST = 390, 8, 12
LETTER = 0.6  # of a letter's height: how wide it is in a font that is wide


def cut(x0, y0, x1, y1, sx=1.0, sy=None, at=None):
    """A part of the drawing, enlarged by sx and sy. It is placed to the right of the last one if there is room, or at `at`."""
    return 'cut', x0, y0, x1, y1, sx, sx if sy is None else sy, at


def cells(x, y, dx, dy, columns, rows, scale=1.0, count=None, wide=None):
    """Parts in a grid, whose last row may have fewer."""
    return [('cell', *cut(x + i % columns * dx, y + i // columns * dy, x + i % columns * dx + (wide or dx), y + (i // columns + 1) * dy, scale)[1:])
            for i in range(count or columns * rows)]


def words(y0, y1, x0=0, x1=9999):
    """The sentences that begin there, broken into lines."""
    return 'words', x0, y0, x1, y1


def row():
    """What follows begins on the left, below all that was."""
    return ('row',)


def say(text):
    """A sentence of the phone's drawing alone."""
    return 'say', text


def change(pattern, text):
    """Other words in all that follows, where the drawing's own are too long."""
    return 'change', pattern, text


def plan(bottom, *legend):
    """What the places of a level hold: the operations with two places at a time."""
    parts = []
    for first in range(190, 802, 204):
        parts += [row(), cut(34, 30, 192, bottom, 0.96), cut(first, 30, first + 204, bottom, 1.05, 0.96)]
    return parts + [row()] + [cut(x0, bottom + 6, x1, bottom + 26) for x0, x1 in legend] + [words(bottom + 36, bottom + 50)]


PLAN_KEY = (16, 108), (108, 200), (200, 396), (396, 470), (470, 650), (650, 800)


def calls(high):
    """The cards of four columns in two, and what their colours mean."""
    return cells(8, 10, 204, 130, 4, high // 130, 0.9) + [row(), cut(8, high - 36, 170, high - 12), cut(174, high - 36, 330, high - 12),
                                                         words(high - 40, high, 336)]


def requests(parts):
    """Rows of memory with 32 words, of which the second half is not touched; rows of 16 banks."""
    made = []
    for first, last, kind in parts:
        made.append(words(first, first + 34) if kind == 'memory' else words(first, first + 34, kind, kind + 380))
        if kind == 'memory':
            made += [row(), cut(26, first + 34, 90, last, 0.95, 1.05), cut(90, first + 34, 380, last, 0.86, 1.05), cut(666, first + 34, 730, last, 0.95, 1.05)]
        else:
            made += [row(), cut(kind + 2, first + 34, kind + 358, last, 1.05)]
    return made


LAYOUTS = {
    '4': [change('processor$', 'proc.'), change('read and written', 'shared'), *cells(4, 8, 310, 234, 3, 1, 1.2, wide=302)],
    '5': [words(10, 30), row(), cut(16, 36, 456, 290, 0.84), cut(456, 36, 896, 290, 0.84), words(300, 345)],
    'musella-figure-2.4': [words(10, 30), row(), cut(6, 34, 90, 250, 0.95), cut(90, 34, 552, 250, 0.62, 0.95), row(), cut(6, 34, 90, 250, 0.95),
                           cut(552, 34, 922, 250, 0.62, 0.95), words(255, 280)],
    'grid-block-thread': [cut(8, 6, 284, 262, 1.3), words(270, 325), row(), cut(304, 6, 594, 325, 1.27, 1.15), words(335, 370)],
    '01-loop-orders': [*cells(8, 8, 280, 160, 3, 2, 1.3, wide=276), row(), cut(8, 334, 74, 360), cut(76, 334, 212, 360), cut(214, 334, 540, 360), words(370, 380)],
    '02-loop-nest': [row(), cut(180, 8, 590, 32, 0.91)] + [
        part for y0, text in ((36, 74), (142, 187), (248, 293), (354, 399), (466, 511))
        for part in (row(), cut(10, text, 206, text + 36, 0.93), cut(604, y0 + 6, 796, y0 + 88 + (y0 > 460) * 10), row(), cut(180, y0, 590, y0 + 106, 0.91))] + [
        words(580, 610)],
    '03-eight-products': [*cells(8, 8, 204, 98, 4, 2, 0.91), row(), cut(0, 208, 800, 372, 0.465, 1), words(380, 395)],
    '04-seven-products': [*cells(8, 10, 260, 104, 3, 2, 1.3, count=7), row(), words(230, 300, 262),
                          row(), cut(8, 324, 306, 346), row(), cut(306, 324, 410, 346), cut(414, 324, 520, 346)],
    '04-memory-plan': plan(577, *PLAN_KEY),
    '05-loop-nest': [words(10, 30)] + [part for x in (10, 354, 698) for part in (row(), cut(x, 38, x + 340, 470, 1.08))] + [words(490, 530)],
    '05-passes': [words(4, 20), *[part for x0, x1 in ((158, 362), (366, 566)) for part in (row(), cut(6, 28, 136, 442), cut(x0, 28, x1, 442, 1.19, 1))],
                  words(450, 460), words(480, 490),
                  *[part for x0, x1 in ((158, 362), (366, 566), (566, 712)) for part in (row(), cut(6, 498, 136, 696), cut(x0, 498, x1, 696, 1.19, 1))],
                  words(704, 714), row(), cut(8, 730, 286, 752), row(), cut(286, 730, 374, 752), cut(374, 730, 520, 752), row(), cut(8, 754, 180, 776),
                  cut(178, 754, 380, 776)],
    '06-addresses': [words(10, 30), *requests([(48, 108, 'memory'), (120, 180, 'memory'), (192, 552, 'memory'), (564, 624, 'memory')]),
                     say('Shown are the first 64 of the 128 bytes of each row; the others are not touched.')],
    '07-texels': [part for y, more in ((0, 0), (290, 0)) for part in (
        words(y + 10, y + 32), row(), cut(56, y + (46 if not y else 38), 744, y + (268 if not y else 262), 0.54), words(y + 270, y + 294, 0, 750), words(y + 70, y + 240, 750))],
    '07-passes': [change(r'\+ (\d+) columns × (\d+) rows', '+ A B'), words(10, 30), *cells(10, 40, 208, 334, 4, 1, 0.9), words(385, 400)],
    '08-banks': [words(10, 30), *requests([(48, 134, 16), (48, 134, 410), (148, 474, 16), (148, 474, 410)])],
    '08-tiles': [cut(8, -4, 640, 664, 0.59), words(670, 720)],
    '09-addresses': [words(10, 30), *requests([(48, 108, 'memory'), (120, 180, 'memory'), (192, 520, 16), (192, 280, 410)])],
    '10-tile': [cut(10, -16, 1050, 580, 0.36), words(585, 630)],
    '10-addresses': [words(10, 30), words(48, 82), row(), cut(26, 82, 90, 134, 0.95, 1.05), cut(90, 82, 668, 134, 0.42, 1.05), cut(666, 82, 730, 134, 0.95, 1.05),
                     *requests([(136, 196, 'memory'), (208, 536, 16), (208, 296, 410)])],
    '11-calls': [*cells(6, 10, 270, 130, 3, 11, 0.7), row(), cut(8, 1446, 170, 1470), cut(174, 1446, 330, 1470), words(1440, 1480, 336)],
    '11-rows-columns': [words(10, 30, 0, 400), row(), cut(14, 32, 206, 164, 1.3), words(170, 182, 0, 400), words(10, 30, 490), row(), cut(494, 32, 634, 222, 1.3),
                        words(130, 180, 630), words(230, 242), row(), cut(84, 243, 401, 302, 1.15), row(), cut(400, 243, 716, 276, 1.15), row(), words(380, 390, 0, 60),
                        cut(62, 336, 392, 424, 1.1), words(370, 420, 420, 520), row(), cut(522, 326, 782, 438, 1.2)],
    '12-memory-plan': plan(409, *PLAN_KEY),
    '12-quadrants': calls(702),
    '13-memory-plan': plan(367, *PLAN_KEY),
    '13-quadrants': calls(572),
    '14-memory-plan': plan(514, *PLAN_KEY),
    '14-quadrants': calls(832),
    '15-memory-plan': plan(451, *PLAN_KEY),
    '15-quadrants': calls(702),
    '16-offset': [change('quadrant (1[12]), row', r'\1, row'), words(10, 30), words(40, 55), row(), cut(16, 58, 790, 132, 0.48, 0.9),
                  say('In the boxes: quadrant 12 or 11, and which of its rows.'), words(140, 250)],
    '16-paths': [cut(26, 6, 376, 324, 1.05), row(), cut(426, 6, 776, 324, 1.05)],
    '16-strips': [words(10, 30), row(), cut(54, 38, 466, 162, 0.9), words(80, 135, 480), words(185, 200), row(), cut(54, 206, 466, 316, 0.9), words(240, 300, 480)],
    '17-levels': [cut(10, 6, 380, 346), row(), cut(420, 6, 790, 346)],
    '19-beside': [change('^(\\d+) products', r'\1'), words(10, 30), row(), cut(20, 36, 84, 230), cut(84, 36, 856, 256, 0.395, 1),
                  say('In a box: how many products it makes.'), row(), *[cut(x0, 260, x1, 282) for x0, x1 in ((82, 188), (190, 268), (272, 468), (470, 570))],
                  words(270, 280, 590), words(290, 310)],
    '19-tile': [words(5, 22), row(), cut(146, 32, 540, 396, 0.94), words(190, 280, 0, 150), words(40, 60, 540), words(240, 290, 540)],
    '21-split': [change('½ unit, sums exact', '½ unit'), change('1 unit of time', '1 unit'), words(10, 30), row(), cut(16, 32, 564, 64, 0.68), words(70, 80),
                 words(110, 120), row(), cut(14, 124, 406, 202, 0.95), words(140, 190, 410), words(228, 240), row(), cut(14, 252, 706, 304, 0.535, 0.9), row(),
                 cut(14, 320, 706, 374, 0.535, 0.9), say('A unit is a unit of time; half a unit where the sums are exact.'), words(390, 445)],
    '22-messages': [cut(24, 10, 288, 212, 1.4, 1), row(), cut(308, 10, 572, 168, 1.4, 1), row(), cut(592, 10, 856, 300, 1.4, 1)],
}
for _step in ('14-tree', '15-tree'):
    LAYOUTS[_step] = [change('fused level', 'fused'), row(), cut(276, 14, 608, 66, 1.1, 1), row(), cut(90, 64, 798, 236, 0.527, 1),
                      say('From above: the product of order n, its seven of order n/2, and theirs of order n/4.'), words(250, 285)]


# ---- a drawing ----

class Shape:
    """An element of a drawing, its place and its style."""

    def __init__(self, element, place):
        self.tag, self.attributes, self.place = element.tag.split('}')[-1], dict(element.attrib), place
        self.text = ''.join(element.itertext())
        self.box = self.bounds()

    def number(self, name, default=0.0):
        return float(self.attributes.get(name, default))

    def bounds(self):
        if self.tag == 'rect':
            x, y = self.number('x'), self.number('y')
            return x, y, x + self.number('width'), y + self.number('height')
        if self.tag == 'line':
            xs, ys = [self.number('x1'), self.number('x2')], [self.number('y1'), self.number('y2')]
            return min(xs), min(ys), max(xs), max(ys)
        if self.tag == 'circle':
            x, y, r = self.number('cx'), self.number('cy'), self.number('r')
            return x - r, y - r, x + r, y + r
        if self.tag == 'text':
            x, y = self.number('x'), self.number('y')
            return x, y, x, y
        return path_bounds(self.attributes.get('d', ''))

    def size(self):
        return self.number('font-size', 13)


def path_bounds(d):
    """Of a path of straight lines."""
    x = y = 0.0
    points = []
    for command, numbers in re.findall(r'([a-zA-Z])([^a-zA-Z]*)', d):
        values = [float(n) for n in re.findall(r'-?[\d.]+', numbers)]
        relative = command.islower()
        if command in 'hH':
            for value in values:
                x = x + value if relative else value
                points.append((x, y))
        elif command in 'vV':
            for value in values:
                y = y + value if relative else value
                points.append((x, y))
        else:
            for dx, dy in zip(values[::2], values[1::2]):
                x, y = (x + dx, y + dy) if relative else (dx, dy)
                points.append((x, y))
    xs, ys = [p[0] for p in points] or [0], [p[1] for p in points] or [0]
    return min(xs), min(ys), max(xs), max(ys)


def shapes_of(root):
    """All elements except the background. Later elements are drawn above earlier ones."""
    found = []
    for element in root:
        tag = element.tag.split('}')[-1]
        if tag == 'title' or tag == 'rect' and element.get('fill') == '#ffffff' and not float(element.get('x', 0)) and not element.get('stroke'):
            continue
        if tag not in ('rect', 'line', 'path', 'circle', 'text'):
            raise SystemExit('phone: no such shape: ' + tag)
        found.append(Shape(element, len(found)))
    return found


def attributes_of(shape, leave_out=()):
    return ''.join(' %s="%s"' % (re.sub(r'^\{.*\}', 'xml:', name), escape(value, {'"': '&quot;'}))
                   for name, value in shape.attributes.items() if name not in leave_out)


def text_at(shape, x, y, size, text, anchor=None):
    return '<text x="%g" y="%g" font-size="%g" text-anchor="%s"%s>%s</text>' % (
        x, y, size, anchor or shape.attributes.get('text-anchor', 'start'),
        attributes_of(shape, ('x', 'y', 'font-size', 'text-anchor')), escape(text))


def part(shapes, x, y, box, sx, sy):
    """A part of a drawing at (x, y): its shapes are enlarged, its letters are not made smaller than they may be."""
    x0, y0, x1, y1 = box
    bodies, texts = [], []
    for shape in shapes:
        left, top, right, bottom = shape.box
        if shape.tag == 'text':
            if x0 <= left < x1 and y0 <= top < y1:
                texts.append(text_at(shape, (left - x0) * sx, (top - y0) * sy, max(LEAST, shape.size() * min(sx, sy)), shape.text))
        elif left < x1 and right > x0 and top < y1 and bottom > y0 or \
                (left == right and x0 <= left <= x1 or top == bottom and y0 <= top <= y1) and left <= x1 and right >= x0 and top <= y1 and bottom >= y0:
            bodies.append('<%s%s vector-effect="non-scaling-stroke"/>' % (shape.tag, attributes_of(shape)))
    if not bodies and not texts:
        return None
    # What reaches beyond the part is cut off, but for letters, which may be wider than their part.
    return ('<svg x="%g" y="%g" width="%g" height="%g">\n<g transform="scale(%g %g) translate(%g %g)">\n%s\n</g>\n</svg>\n'
            '<g transform="translate(%g %g)">\n%s\n</g>' % (
                x, y, (x1 - x0) * sx, (y1 - y0) * sy, sx, sy, -x0, -y0, '\n'.join(bodies), x, y, '\n'.join(texts)))


def lines_of(text, size):
    """A sentence in lines that are as wide as the window."""
    most, lines = int((WIDE - 2 * EDGE) / size / LETTER), ['']
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > most:
            lines.append(word)
        else:
            lines[-1] = (lines[-1] + ' ' + word).strip()
    return lines


def joined(said):
    """Joins the lines of one sentence, which are below one another and have the same style."""
    out = []
    for shape in said:
        last = out[-1] if out else None
        looks = {name: value for name, value in shape.attributes.items() if name != 'y'}
        if last and {name: value for name, value in last.attributes.items() if name != 'y'} == looks and 'font-family' not in looks and \
                'font-weight' not in looks and '=' not in shape.text:
            last.text += ' ' + shape.text
        else:
            out.append(copy.copy(shape))
    return out


def drawn_for_a_phone(path, layout):
    root = ElementTree.parse(path).getroot()
    shapes = shapes_of(root)
    title = next((element.text for element in root if element.tag.endswith('title')), '')
    out, x, y, foot = [], EDGE, EDGE, EDGE
    for what, *where in layout:
        if what == 'row':
            x, y = EDGE, foot + 4
        elif what == 'change':
            for shape in shapes:
                shape.text = re.sub(where[0], where[1], shape.text)
        elif what == 'say':
            foot += 4
            for line in lines_of(where[0], LEAST):
                foot += LEAST + 4
                out.append('<text x="%g" y="%g" font-size="%g" fill="#666666">%s</text>' % (EDGE, foot, LEAST, escape(line)))
            foot += 6
            x, y = EDGE, foot
        elif what in ('cut', 'cell'):
            x0, y0, x1, y1, sx, sy, at = where
            wide, high = (x1 - x0) * sx, (y1 - y0) * sy
            if at is not None:
                x = at
            elif x > EDGE and x + wide > WIDE - EDGE / 2:
                x, y = EDGE, foot + 4
            piece = part(shapes, x, y, (x0, y0, x1, y1), sx, sy)
            if piece is None and what == 'cell':
                continue
            if piece is None:
                raise SystemExit('phone: %s has nothing in %s' % (os.path.basename(path), (x0, y0, x1, y1)))
            out.append(piece)
            x, foot = x + wide, max(foot, y + high)
        else:
            x0, y0, x1, y1 = where
            said = sorted((shape for shape in shapes if shape.tag == 'text' and x0 <= shape.box[0] < x1 and y0 <= shape.box[1] < y1),
                          key=lambda shape: (shape.box[1], shape.box[0]))
            if not said:
                raise SystemExit('phone: %s says nothing in %s' % (os.path.basename(path), where))
            foot += 4
            for shape in joined(said):
                size = max(LEAST, min(shape.size(), 13))
                for line in lines_of(shape.text, size * (1.08 if shape.attributes.get('font-weight') else 1)):
                    foot += size + 4
                    out.append(text_at(shape, EDGE, foot, size, line, 'start'))
            foot += 6
            x, y = EDGE, foot
    high = foot + EDGE
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="13" '
            'fill="#222222">\n<title>%s</title>\n<rect width="%d" height="%d" fill="#ffffff"/>\n%s\n</svg>\n'
            % (WIDE, high, WIDE, high, escape(title or ''), WIDE, high, '\n'.join(out)))


def main():
    out = sys.argv[1]
    os.makedirs(out, exist_ok=True)
    pictures = {os.path.splitext(os.path.basename(path))[0]: path for pattern in ('docs/*.svg', 'docs/figures/*.svg', 'steps/*/*.svg')
                for path in glob.glob(os.path.join(glob.escape(ROOT), pattern))}
    for name, layout in LAYOUTS.items():
        if name in pictures:  # a tree may have fewer steps
            with open(os.path.join(out, name + '.svg'), 'w', encoding='utf-8') as file:
                file.write(drawn_for_a_phone(pictures[name], layout))


if __name__ == '__main__':
    main()
