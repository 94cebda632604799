/* Formulas are set by KaTeX; a formula that it does not understand stays the text that it is. */
(function () {
    "use strict";
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
    document.addEventListener("DOMContentLoaded", set_formulas);
})();
