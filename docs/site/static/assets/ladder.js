/* SPDX-License-Identifier: MIT */
/* Formulas are set when the site is made; where that was not possible, KaTeX sets them here. A formula that it does not
   understand stays the text that it is. What does not fit beside: formulas are broken, tables become cards, and what still
   scrolls sideways shows it, and can be scrolled by keyboard. */
(function () {
    "use strict";
    var katex_script = document.currentScript.src.replace("ladder.js", "katex/katex.min.js"), width = 0;
    function all(what) { return [].slice.call(document.querySelectorAll(what)); }
    function each(what, work) { all(what).forEach(work); }
    function is_too_wide(block) { return block.scrollWidth > block.clientWidth + 1; }
    function set_formula(place) {
        try {
            var whole = document.createElement("div"), lines = document.createElement("template");
            whole.className = "whole";
            katex.render(place.dataset.set, place.dataset.lines ? whole : place, { displayMode: place.tagName === "DIV", throwOnError: true });
            if (!place.dataset.lines)
                return;
            JSON.parse(place.dataset.lines).forEach(function (tex) {
                var line = document.createElement("div");
                line.className = "line";
                lines.content.append(line);
                katex.render("\\displaystyle " + tex, line, { throwOnError: true });
            });
            place.replaceChildren(whole, lines);
        } catch (error) {
            console.error(error.message);
        }
    }
    function set_formulas() {
        each(".tex[data-tex]", function (place) {
            place.dataset.set = place.dataset.tex;
            place.removeAttribute("data-tex");
            set_formula(place);
        });
    }
    /* A formula of several equations, and where it is too wide each of them alone. */
    function show_whole(lines) {
        while (lines.nextSibling)
            lines.nextSibling.remove();
        lines.previousElementSibling.hidden = false;
    }
    function show_lines(lines) {
        lines.previousElementSibling.hidden = true;
        lines.parentElement.append(lines.content.cloneNode(true));
    }
    /* A table's rows as cards, each cell with the name of its column. */
    function can_be_cards(table) {
        return table.closest(".md-typeset__scrollwrap") && table.querySelectorAll("thead th").length >= 3;
    }
    function make_cards(table) {
        each_cell(table, [].map.call(table.querySelectorAll("thead th"), function (head) { return head.textContent; }));
        table.classList.add("cards");
    }
    function each_cell(table, names) {
        [].forEach.call(table.tBodies, function (body) {
            [].forEach.call(body.rows, function (row) {
                [].forEach.call(row.cells, function (cell, i) { cell.dataset.label = names[i] || ""; });
            });
        });
    }
    function fit() {
        if (width === innerWidth)
            return;
        width = innerWidth;
        /* First all is measured and then all is changed: otherwise the page is laid out anew for each. */
        var formulas = all(".tex > template"), tables = all(".md-typeset__table table").filter(can_be_cards);
        formulas.forEach(show_whole);
        tables.forEach(function (table) { table.classList.remove("cards"); });
        formulas = formulas.filter(function (lines) { return is_too_wide(lines.parentElement); });
        tables = innerWidth >= 900 || document.body.classList.contains("paper") ? [] :
            tables.map(function (table) { return [table, table.closest(".md-typeset__scrollwrap")]; })
                .filter(function (pair) { return pair[1].scrollWidth > pair[1].clientWidth; }) /* by a pixel, too: a table shows no sign of it */
                .map(function (pair) { return pair[0]; });
        formulas.forEach(show_lines);
        tables.forEach(make_cards);
        var blocks = all("pre > code, .numbered > pre, .md-typeset__scrollwrap, div.tex, figure.picture > a, .player .stage");
        var wide = blocks.map(is_too_wide);
        blocks.forEach(function (block, i) {
            var scrolls = wide[i];
            block.classList.toggle("scrolls", scrolls);
            if (scrolls && block.tagName !== "A")
                block.tabIndex = 0;
            else if (block.tagName !== "A")
                block.removeAttribute("tabindex");
        });
    }
    /* On paper the text is 174 mm wide, and nothing scrolls. */
    function print(begins) {
        document.body.classList.toggle("paper", begins);
        width = 0;
        fit();
    }
    window.addEventListener("beforeprint", function () { print(true); });
    window.addEventListener("afterprint", function () { print(false); });
    window.addEventListener("load", function () { width = 0; fit(); });
    window.addEventListener("resize", fit);
    document.addEventListener("DOMContentLoaded", function () {
        /* What the theme leaves out for those who hear the page. */
        each(".md-search[role=dialog]", function (search) { search.setAttribute("aria-label", "Search"); });
        each(".md-search__scrollwrap", function (results) { results.tabIndex = 0; });
        /* The theme takes code that it no longer finds too wide out of the order of tabs, and may have looked too early. */
        new MutationObserver(function (changes) {
            changes.forEach(function (change) {
                if (change.target.matches(".scrolls:not(a)") && change.target.tabIndex < 0)
                    change.target.tabIndex = 0;
            });
        }).observe(document.body, { subtree: true, attributeFilter: ["tabindex"] });
        if (document.fonts)
            document.fonts.ready.then(function () { width = 0; fit(); });
        if (!document.querySelector(".tex[data-tex]"))
            return;
        var script = document.createElement("script");
        script.src = katex_script;
        script.onload = function () { set_formulas(); width = 0; fit(); };
        document.head.appendChild(script);
    });
})();
