/* SPDX-License-Identifier: MIT */
/* Light or dark as the reader has chosen in the book, or as the system is: before the page is painted. */
(function () {
  var dark = matchMedia("(prefers-color-scheme: dark)").matches;
  try {
    var chosen = localStorage.getItem(new URL("..", location).pathname + ".__palette"); // the key of the book's theme
    if (chosen)
      dark = JSON.parse(chosen).color.scheme === "slate";
  } catch (nothing) { /* no storage: as the system is */ }
  if (new URLSearchParams(location.search).has("embed"))
    document.documentElement.dataset.embed = "yes"; // within another page: code, Run, counts and output
  document.documentElement.dataset.scheme = dark ? "dark" : "light";
})();
