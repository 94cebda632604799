/* SPDX-License-Identifier: MIT */
/* What does not fit the width: formulas are broken, tables become cards, and what still scrolls sideways shows it, and can be
   scrolled by keyboard. */
(function () {
    "use strict";
    var width = 0, turn = 0, on_screen = "";
    function all(what) { return [].slice.call(document.querySelectorAll(what)); }
    function each(what, work) { all(what).forEach(work); }
    function is_too_wide(block) { return block.scrollWidth > block.clientWidth + 1; }
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
    function can_be_cards(table) { return innerWidth < 900 && !is_paper() && !!table.querySelector("td[data-label]"); }
    function is_paper() { return document.body.classList.contains("paper"); }
    function fit_one(place) {
        var table = place.tagName === "TABLE" && place, lines = place.querySelector(":scope > template");
        var block = table ? table.closest(".md-typeset__scrollwrap") : place;
        block.style.contentVisibility = "visible"; /* otherwise what is far from the window has no width */
        if (lines) {
            show_whole(lines);
            if (is_too_wide(place))
                show_lines(lines);
        }
        if (table) {
            table.classList.remove("cards");
            if (can_be_cards(table) && block.scrollWidth > block.clientWidth) /* by a pixel, too: a table shows no sign of it */
                table.classList.add("cards");
            if (!table.classList.length)
                table.removeAttribute("class"); /* the theme's rules are for tables without one */
        }
        var scrolls = is_too_wide(block);
        block.style.contentVisibility = "";
        block.classList.toggle("scrolls", scrolls);
        if (block.tagName !== "A" && scrolls)
            block.tabIndex = 0;
        else if (block.tagName !== "A")
            block.removeAttribute("tabindex");
    }
    /* A few at a time, so that the page stays quick; what is below the window is not laid out before (ladder.css). On paper all at once. */
    function fit() {
        if (width === innerWidth)
            return;
        width = innerWidth;
        document.documentElement.classList.toggle("phone", !is_paper() && matchMedia("(max-width: 44.9em)").matches);
        var places = all("div.tex, .md-typeset__scrollwrap table, pre > code, .numbered > pre, figure.picture > a, .player .stage"), mine = ++turn;
        function some() {
            var until = performance.now() + 4;
            while (mine === turn && places.length && (is_paper() || performance.now() < until))
                fit_one(places.shift());
            window.ladder_is_fitting = places.length > 0;
            if (mine === turn && places.length)
                setTimeout(some, 0);
        }
        some();
    }
    /* On paper the text is 174 mm wide, and nothing scrolls. */
    function print(begins) {
        var body = document.body, scheme = body.dataset.mdColorScheme;
        body.classList.toggle("paper", begins);
        body.dataset.mdColorScheme = begins ? "default" : on_screen || scheme; /* paper is white */
        on_screen = begins ? on_screen || scheme : "";
        each("img[loading]", function (picture) { picture.loading = "eager"; });
        width = 0;
        fit();
    }
    /* The page of exercises: what the playground's lab has noted in this browser, a line for each event. */
    function show_progress() {
        var noted = {}, passed = 0;
        try {
            (localStorage.getItem("ladder-lab/progress") || "").split("\n").forEach(function (line) {
                var words = line.split("\t");
                noted[words[1]] = noted[words[1]] === "pass" ? "pass" : words[2];
            });
        } catch (nothing) { /* no storage: no progress */ }
        each("[data-exercise]", function (place) {
            var state = noted[place.dataset.exercise];
            place.textContent = state === "pass" ? "✓ passed" : state ? "… begun" : "new";
            passed += state === "pass";
        });
        each("#exercises_done", function (place) {
            place.textContent = passed + " of " + all("[data-exercise]").length + " passed in this browser.";
        });
    }
    window.addEventListener("beforeprint", function () { print(true); });
    window.addEventListener("afterprint", function () { print(false); });
    window.ladder_is_fitting = true;
    window.addEventListener("load", function () { width = 0; fit(); });
    window.addEventListener("resize", fit);
    document.addEventListener("DOMContentLoaded", function () {
        show_progress();
        each(".try iframe", function (editor) { /* a browser lets no page from a folder run it */
            if (location.protocol === "file:")
                editor.parentElement.textContent = "./ladder docs --serve shows this site with the editor.";
            else
                editor.src = editor.dataset.src;
        });
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
            document.fonts.addEventListener("loadingdone", function () {
                if (document.readyState === "complete") { width = 0; fit(); }
            });
    });
})();
