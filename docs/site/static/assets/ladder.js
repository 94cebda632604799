/* SPDX-License-Identifier: MIT */
/* KaTeX sets the formulas; a page without formulas does not load it. A formula that it does not understand
   stays as text. */
(function () {
    "use strict";
    var katex_script = document.currentScript.src.replace("ladder.js", "katex/katex.min.js");
    function set_formulas() {
        document.querySelectorAll(".tex[data-tex]").forEach(function (place) {
            try {
                katex.render(place.dataset.tex, place, { displayMode: place.tagName === "DIV", throwOnError: true });
                place.removeAttribute("data-tex");
            } catch (error) {
                console.error(error.message);
            }
        });
    }
    /* Makes elements that scroll sideways reachable by keyboard. */
    function reach_what_scrolls() {
        document.querySelectorAll("pre > code, .md-typeset__scrollwrap, div.tex").forEach(function (block) {
            if (block.scrollWidth > block.clientWidth)
                block.tabIndex = 0;
        });
    }
    window.addEventListener("load", reach_what_scrolls);
    window.addEventListener("resize", reach_what_scrolls);
    document.addEventListener("DOMContentLoaded", function () {
        if (!document.querySelector(".tex[data-tex]"))
            return;
        var script = document.createElement("script");
        script.src = katex_script;
        script.onload = set_formulas;
        document.head.appendChild(script);
    });
})();
