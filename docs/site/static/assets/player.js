/* SPDX-License-Identifier: MIT */
/* Pictures that a reader steps through: what the programs logged when the site was built, from
   players/NAME.js. Each such script calls ladder_player() with its data. Without this script, or without the
   data, the still picture is shown. */
(function () {
    "use strict";
    var BLUE = "#0072B2", ORANGE = "#D55E00", PALE = "#F7D9C4", SKY = "#cfe6f5", GREY = "#777777", LINE = "#cccccc";
    var INK = "#222222", SHARED = "#E69F00", GREEN = "#007A5A";
    var SECOND = 1000;

    // ---- drawing ----
    function element(name, attributes, text) {
        var made = document.createElementNS("http://www.w3.org/2000/svg", name);
        Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
        if (text !== undefined)
            made.textContent = text;
        return made;
    }
    function Drawing(width) {
        this.svg = element("svg", { "font-family": "sans-serif", fill: INK, role: "img" });
        this.width = width;
        this.below = 0;
    }
    Drawing.prototype.box = function (x, y, w, h, fill, stroke, thick) {
        this.svg.appendChild(element("rect", { x: x, y: y, width: w, height: h, fill: fill, stroke: stroke || "none", "stroke-width": thick || 1 }));
        this.below = Math.max(this.below, y + h);
    };
    Drawing.prototype.text = function (x, y, size, text, more) {
        var attributes = { x: x, y: y, "font-size": size };
        Object.keys(more || {}).forEach(function (key) { attributes[key] = more[key]; });
        this.svg.appendChild(element("text", attributes, text));
        this.below = Math.max(this.below, y + 4);
    };
    Drawing.prototype.line = function (x1, y1, x2, y2, stroke, dashes) {
        this.svg.appendChild(element("line", { x1: x1, y1: y1, x2: x2, y2: y2, stroke: stroke, "stroke-dasharray": dashes || "none" }));
    };
    Drawing.prototype.done = function (height) {
        var tall = Math.max(this.below + 8, height || 0);
        this.svg.setAttribute("viewBox", "0 0 " + this.width + " " + tall);
        return tall;
    };
    var MIDDLE = { "text-anchor": "middle" }, RIGHT = { "text-anchor": "end", fill: GREY };

    function plural(count, name) { return count + " " + name + (count === 1 ? "" : name.slice(-1) === "s" ? "es" : "s"); }

    // ---- what a half-warp touches ----
    function groups(step) { // the lanes of each word, in the order of addresses
        var found = {};
        step.lanes.forEach(function (lane) { (found[lane[1]] = found[lane[1]] || []).push(lane[0]); });
        return Object.keys(found).map(Number).sort(function (a, b) { return a - b; }).map(function (at) { return { at: at, lanes: found[at] }; });
    }
    function several(lanes) {
        var together = lanes.every(function (lane, i) { return i === 0 || lane === lanes[i - 1] + 1; });
        return together ? lanes[0] + "–" + lanes[lanes.length - 1] : lanes.join(", ");
    }
    function draw_words(drawing, step, left, place, per_row, cell, high) {
        var words = groups(step);
        words.forEach(function (word, i) {
            var x = left + word.at % per_row / 4 * cell, y = place(word.at), wide = step.size / 4 * cell, many = word.lanes.length > 1;
            drawing.box(x, y, wide, high, many ? SHARED : BLUE, "#ffffff", 0.8);
            if (!many)
                drawing.text(x + wide / 2, y + 13, 11, word.lanes[0], { "text-anchor": "middle", fill: "#ffffff" });
            else if (i === words.length - 1 || words[i + 1].at >= word.at + 28) {
                var before = x + wide + 90 > drawing.width; // no room to the right of it
                drawing.text(before ? x - 5 : x + wide + 5, y + 13, 11, "lanes " + several(word.lanes), { "text-anchor": before ? "end" : "start" });
            }
        });
    }
    function rows_of(step, size) {
        var rows = [];
        step.lanes.forEach(function (lane) {
            var row = Math.floor(lane[1] / size);
            if (rows.indexOf(row) < 0)
                rows.push(row);
        });
        return rows.sort(function (a, b) { return a - b; });
    }
    function draw_maps(drawing, kase, at, top) { // small maps of A, B and C, with what was touched so far
        var side = 84, first = Math.max(drawing.width - 3 * (side + 18) + 10, 0);
        ["A", "B", "C"].forEach(function (name, i) {
            var x = first + i * (side + 18), scale = side / kase.n;
            drawing.box(x, top, side, side, "#f4f4f4", LINE);
            drawing.text(x + side / 2, top - 5, 12, name, { "text-anchor": "middle", "font-weight": "bold" });
            for (var s = 0; s <= at; s++) {
                var step = kase.steps[s];
                if (step.space !== "global" || step.array !== name)
                    continue;
                step.lanes.forEach(function (lane) {
                    var index = lane[1] / 4, row = Math.floor(index / kase.n), column = index % kase.n;
                    drawing.box(x + column * scale, top + row * scale, Math.max(scale, 1.6) * step.size / 4, Math.max(scale, 1.6),
                                s === at ? ORANGE : "#9ccae6");
                });
            }
        });
    }
    function draw_addresses(kase, at, narrow, measuring) {
        var drawing = new Drawing(narrow ? 372 : 700), step = kase.steps[at], total = { transactions: 0, bytes: 0, passes: 0, ideal: 0 };
        kase.steps.slice(0, at + 1).forEach(function (s) {
            Object.keys(total).forEach(function (key) { total[key] += s[key] || 0; });
        });
        var global = step.space === "global";
        drawing.text(8, 24, 14, (step.op === "store" ? "stores into " : "loads from ") + step.array, { "font-weight": "bold" });
        drawing.text(8, 46, 13, global ? plural(step.transactions, "transaction") + ", " + step.bytes + " bytes moved"
            : plural(step.passes, "pass") + " through the banks" + (step.passes > step.ideal ? " where " + step.ideal + " would do" : ": no conflict"),
            { fill: !global && step.passes > step.ideal ? ORANGE : INK });
        drawing.text(8, 74, 12, "so far: " + plural(total.transactions, "transaction") + ", " + total.bytes + " bytes", { fill: GREY });
        if (total.passes)
            drawing.text(8, 92, 12, plural(total.passes, "pass") + " in shared memory, " + total.ideal + " without conflicts", { fill: GREY });
        if (!measuring) // not while measuring: it is most of the work, and has the same height at every step
            draw_maps(drawing, kase, at, narrow ? 118 : 18);
        var top = narrow ? 220 : 122, high = 18;
        if (global) {
            var line = narrow ? 64 : 128, cell = 18, left = narrow ? 66 : 78; // bytes in a row of the picture
            var pieces = [];
            step.segments.forEach(function (segment) { // a frame may span two rows
                for (var from = segment[0]; from < segment[0] + segment[1]; from += line - from % line)
                    pieces.push([from, Math.min(segment[0] + segment[1], from + line - from % line) - from]);
            });
            var rows = rows_of({ lanes: pieces.map(function (piece) { return [0, piece[0]]; }).concat(step.lanes) }, line);
            var y_of = function (offset) { return top + rows.indexOf(Math.floor(offset / line)) * high; };
            rows.forEach(function (row) {
                drawing.text(left - 6, y_of(row * line) + 13, 11, "byte " + row * line, RIGHT);
                for (var i = 0; i < line / 4; i++)
                    drawing.box(left + i * cell, y_of(row * line), cell, high, "#f4f4f4", LINE, 0.6);
            });
            pieces.forEach(function (piece) {
                drawing.box(left + piece[0] % line / 4 * cell, y_of(piece[0]), piece[1] / 4 * cell, high, PALE);
            });
            draw_words(drawing, step, left, y_of, line, cell, high);
            pieces.forEach(function (piece) {
                drawing.box(left + piece[0] % line / 4 * cell, y_of(piece[0]), piece[1] / 4 * cell, high, "none", ORANGE, 2);
            });
        } else {
            var size = 4 * step.banks, lines = rows_of(step, size), wide = narrow ? 288 / step.banks : step.banks > 16 ? 18 : 28, from = narrow ? 66 : 78, need = {};
            var place = function (offset) { return top + 20 + lines.indexOf(Math.floor(offset / size)) * high; };
            drawing.text(from - 6, top + 14, 11, "bank", RIGHT);
            for (var bank = 0; bank < step.banks; bank++)
                drawing.text(from + (bank + 0.5) * wide, top + 14, 11, bank, { "text-anchor": "middle", fill: GREY });
            lines.forEach(function (row) {
                drawing.text(from - 6, place(row * size) + 13, 11, "byte " + row * size, RIGHT);
                for (var i = 0; i < step.banks; i++)
                    drawing.box(from + i * wide, place(row * size), wide, high, "#f4f4f4", LINE, 0.6);
            });
            draw_words(drawing, step, from, place, size, wide, high);
            groups(step).forEach(function (word) {
                for (var i = 0; i < step.size / 4; i++) {
                    var b = (word.at / 4 + i) % step.banks;
                    need[b] = (need[b] || 0) + 1;
                }
            });
            drawing.text(from - 6, drawing.below + 16, 11, "words", RIGHT);
            var under = drawing.below;
            Object.keys(need).forEach(function (b) {
                drawing.text(from + (+b + 0.5) * wide, under - 4, 11, need[b],
                             { "text-anchor": "middle", "font-weight": "bold", fill: need[b] > 1 ? ORANGE : GREEN });
            });
        }
        return drawing;
    }
    function say_addresses(kase, at) {
        var step = kase.steps[at];
        return [step.file + ":" + step.line + "  ", step.text, "", step.why];
    }

    // ---- which quadrant each kernel reads and writes ----
    function fold(text, most) { // into lines of at most `most` letters, at blanks
        var lines = [""];
        text.split(" ").forEach(function (word) {
            var last = lines[lines.length - 1];
            if (last && (last + " " + word).length > most)
                lines.push(word);
            else
                lines[lines.length - 1] = last ? last + " " + word : word;
        });
        return lines;
    }
    function draw_place(drawing, kase, step, name, x, y, w, h, holds) {
        function touched(list) { return list.filter(function (place) { return place[0] === name; }); }
        var reads = touched(step.reads), writes = touched(step.writes), parts = kase.levels > 1 && name[0] !== "t";
        var whole = function (list) { return list.some(function (place) { return !place[1] || wide_step(step); }); };
        drawing.box(x, y, w, h, "#f7f7f7", LINE);
        function mark(list, fill) {
            list.forEach(function (place) {
                if (!place[1] || !parts || wide_step(step))
                    drawing.box(x, y, w, h, fill);
                else
                    drawing.box(x + (place[1][1] - 1) * w / 2, y + (place[1][0] - 1) * h / 2, w / 2, h / 2, fill);
            });
        }
        mark(reads, SKY);
        mark(writes, PALE);
        if (parts) {
            drawing.line(x + w / 2, y, x + w / 2, y + h, "#e2e2e2");
            drawing.line(x, y + h / 2, x + w, y + h / 2, "#e2e2e2");
        }
        drawing.box(x, y, w, h, "none", writes.length ? ORANGE : reads.length ? BLUE : LINE, writes.length || reads.length ? 2.5 : 1);
        drawing.text(x + 6, y + 15, 12, name, { "font-weight": "bold", fill: writes.length ? ORANGE : reads.length ? BLUE : INK });
        if (holds) {
            var lines = fold(holds, Math.floor(w / 7.2)), size = lines.length > 3 ? 11 : 12.5;
            lines.forEach(function (line, i) {
                drawing.text(x + w / 2, y + h / 2 + 8 + (i - (lines.length - 1) / 2) * (size + 3), size, line, MIDDLE);
            });
        }
    }
    function wide_step(step) { return !/one level down/.test(step.says); }
    function moved(steps) {
        var bytes = 0, transactions = 0;
        steps.forEach(function (step) { bytes += step.bytes; transactions += step.transactions; });
        return plural(transactions, "transaction") + ", " + (bytes < 1 << 20 ? Math.round(bytes / 1024) + " KB" : (bytes / (1 << 20)).toFixed(1) + " MB");
    }
    // The places of A, B, C and the temporaries: [x, y, width, height] of the first quadrant, or of the place.
    var WIDE = { width: 700, A: [8, 26, 76, 76], B: [190, 26, 76, 76], C: [372, 26, 156, 88], temporaries: [8, 196],
                 T1: [8, 204, 156, 66], T2: [170, 204, 156, 66], t1: [372, 226, 76, 44], t2: [452, 226, 76, 44], below: [536, 252],
                 legend: [8, 286], moved: [372, 298] };
    var NARROW = { width: 372, A: [4, 24, 86, 60], B: [192, 24, 86, 60], C: [4, 176, 180, 66], temporaries: [4, 332],
                   T1: [4, 340, 180, 60], T2: [188, 340, 180, 60], t1: [4, 410, 86, 40], t2: [94, 410, 86, 40], below: [190, 434],
                   legend: [4, 464], moved: [4, 502] };
    function draw_schedule(kase, at, narrow) {
        var place = narrow ? NARROW : WIDE, drawing = new Drawing(place.width), step = kase.steps[at];
        ["A", "B", "C"].forEach(function (name) {
            var p = place[name];
            drawing.text(p[0] + p[2] + 2, p[1] - 9, 13, name, { "text-anchor": "middle", "font-weight": "bold" });
            ["11", "12", "21", "22"].forEach(function (quadrant) {
                draw_place(drawing, kase, step, name + quadrant, p[0] + (quadrant[1] - 1) * (p[2] + 4), p[1] + (quadrant[0] - 1) * (p[3] + 4),
                           p[2], p[3], name === "C" ? step.holds[name + quadrant] : "");
            });
        });
        drawing.text(place.temporaries[0], place.temporaries[1], 12, "temporaries", { fill: GREY });
        ["T1", "T2"].forEach(function (name) {
            draw_place.apply(null, [drawing, kase, step, name].concat(place[name], step.holds[name]));
        });
        if (kase.levels > 1) {
            ["t1", "t2"].forEach(function (name) { draw_place.apply(null, [drawing, kase, step, name].concat(place[name], "")); });
            drawing.text(place.below[0], place.below[1], 12, "one level down", { fill: GREY });
        }
        var x = place.legend[0], y = place.legend[1];
        drawing.box(x, y, 14, 14, SKY, BLUE, 2);
        drawing.text(x + 20, y + 12, 12, "reads");
        drawing.box(x + 70, y, 14, 14, PALE, ORANGE, 2);
        drawing.text(x + 90, y + 12, 12, "writes, and may read");
        drawing.text(place.moved[0], place.moved[1], 12, step.blocks.join(" × ") + " blocks; " + moved([step]), { fill: GREY });
        drawing.text(place.moved[0], place.moved[1] + 17, 12, "so far " + moved(kase.steps.slice(0, at + 1)), { fill: GREY });
        return drawing;
    }
    function say_schedule(kase, at) { return [kase.steps[at].kernel, "", ": " + kase.steps[at].says]; }

    var KINDS = { addresses: [draw_addresses, say_addresses], schedule: [draw_schedule, say_schedule] };

    // ---- the player ----
    function html(name, attributes, inside) {
        var made = document.createElement(name);
        Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
        (inside || []).forEach(function (part) { made.appendChild(typeof part === "string" ? document.createTextNode(part) : part); });
        return made;
    }
    function choice(label, names) {
        return html("select", { "aria-label": label }, names.map(function (name) { return html("option", { value: name }, [name]); }));
    }
    function unique(list) { return list.filter(function (item, i) { return list.indexOf(item) === i; }); }

    function Player(figure, data) {
        var player = this, kind = KINDS[data.kind];
        this.data = data, this.draw = kind[0], this.say = kind[1], this.at = 0, this.timer = null;
        this.variant = choice("variant", unique(data.cases.map(function (c) { return c.variant; })));
        this.run = choice("size", unique(data.cases.map(function (c) { return c.run; })));
        this.back = html("button", { type: "button", "class": "back" }, ["◀ Back"]);
        this.play = html("button", { type: "button", "class": "play" }, ["▶ Play"]);
        this.step = html("button", { type: "button", "class": "step" }, ["Step ▶"]);
        this.slider = html("input", { type: "range", min: 0, "aria-label": "step" });
        this.count = html("span", { "class": "count" });
        this.says = html("p", { "class": "says", "aria-live": "polite" });
        this.stage = html("div", { "class": "stage" });
        var controls = html("div", { "class": "controls" }, [this.back, this.play, this.step, this.slider, this.count]);
        [this.variant, this.run].forEach(function (select) {
            if (select.options.length > 1)
                controls.appendChild(select);
            select.onchange = function () { player.stop(); player.choose(); };
        });
        this.step.onclick = function () { player.stop(); player.go(player.at + 1); };
        this.back.onclick = function () { player.stop(); player.go(player.at - 1); };
        this.play.onclick = function () { if (player.timer) player.stop(); else player.start(); };
        this.slider.oninput = function () { player.stop(); player.go(+player.slider.value); };
        this.place = html("div", { "class": "player" }, [controls, this.says, this.stage]);
        figure.insertBefore(this.place, figure.firstChild);
        figure.classList.add("playing");
        this.narrow = false;
        if (data.opens)
            this.variant.value = data.opens;
        this.choose();
        if (window.ResizeObserver) // for phones that are turned
            new ResizeObserver(function () { player.fit(); }).observe(this.place);
    }
    Player.prototype.fit = function () {
        var narrow = this.place.clientWidth < 500, at = this.at;
        if (narrow === this.narrow)
            return;
        this.narrow = narrow;
        this.place.classList.toggle("narrow", narrow);
        this.measure();
        this.go(at);
    };
    Player.prototype.choose = function () {
        var player = this, before = this.kase;
        this.kase = this.data.cases.filter(function (c) { return c.variant === player.variant.value && c.run === player.run.value; })[0];
        this.slider.max = this.kase.steps.length - 1;
        this.measure();
        // Another variant of the same lines is compared at the same step.
        this.go(before && before.steps.length === this.kase.steps.length ? this.at : this.kase.opens || 0);
    };
    Player.prototype.measure = function () {
        this.tall = 0;
        for (var i = 0; i < this.kase.steps.length; i++) // of one height, so that nothing jumps
            this.tall = Math.max(this.tall, this.draw(this.kase, i, this.narrow, true).done());
    };
    Player.prototype.go = function (at) {
        this.at = Math.min(Math.max(at, 0), this.kase.steps.length - 1);
        var drawing = this.draw(this.kase, this.at, this.narrow), says = this.say(this.kase, this.at);
        drawing.done(this.tall);
        drawing.svg.setAttribute("aria-label", says.join(""));
        this.stage.replaceChildren(drawing.svg);
        this.says.replaceChildren(html("b", {}, [says[0]]), html("code", {}, [says[1]]), says[2] || "");
        if (!says[1])
            this.says.childNodes[1].remove();
        if (says[3])
            this.says.append(html("span", { "class": "why" }, [says[3]]));
        this.count.textContent = this.at + 1 + " / " + this.kase.steps.length;
        this.slider.value = this.at;
        this.back.disabled = this.at === 0;
        this.step.disabled = this.at === this.kase.steps.length - 1;
    };
    Player.prototype.start = function () {
        var player = this;
        if (this.at === this.kase.steps.length - 1)
            this.go(0);
        this.play.textContent = "❚❚ Pause";
        this.timer = setInterval(function () {
            player.go(player.at + 1);
            if (player.at === player.kase.steps.length - 1)
                player.stop();
        }, this.kase.steps.length > 60 ? SECOND / 4 : SECOND);
    };
    Player.prototype.stop = function () {
        clearInterval(this.timer);
        this.timer = null;
        this.play.textContent = "▶ Play";
    };

    window.ladder_player = function (name, data) {
        document.querySelectorAll("figure[data-player]").forEach(function (figure) {
            if (figure.dataset.player.split("/").pop() === name + ".js")
                new Player(figure, data);
        });
    };
    document.addEventListener("DOMContentLoaded", function () {
        document.querySelectorAll("figure[data-player]").forEach(function (figure) {
            document.head.appendChild(html("script", { src: figure.dataset.player }));
        });
    });
})();
