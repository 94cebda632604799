#!/bin/sh
# SPDX-License-Identifier: MIT
# publish.sh [--installed] [REPOSITORY]: runs the steps of .github/workflows/site.yml that make the site in a fresh clone of the repository (this
# one if none is given), as far as that goes without a Git host: all that the job `build` runs, but apt-get with --installed.
# Then asks whether what would be published is there. Takes some minutes and needs the network for packages.
# Exit status: 0 all is there, 1 a step failed or something is missing.
set -eu
installed=''
[ "${1-}" != --installed ] || { installed=yes; shift; }
repository=$(CDPATH='' cd -- "${1:-$(dirname -- "$0")/../..}" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
if [ -n "$installed" ]; then
    printf '#!/bin/sh\n' >"$scratch/bin/apt-get"
    chmod +x "$scratch/bin/apt-get"
fi
PATH=$scratch/bin:$PATH
git clone -q "$repository" "$scratch/clone"
cd "$scratch/clone"
# Each step's commands into a separate file, in the order of the workflow.
awk -v to="$scratch/step" '
    /^  [a-z]+:$/ { job = $1 }
    job != "build:" { next }
    /^        run: [^|]/ { n++; sub(/^ *run: /, ""); print > (to n); next }
    /^        run: \|$/ { n++; block = 1; next }
    block && /^          / { sub(/^          /, ""); print > (to n); next }
    { block = 0 }' .github/workflows/site.yml
export LADDER_SITE_URL=https://example.org/ladder LADDER_REPOSITORY_URL=https://example.org/repository
export HOME="$scratch" # git config --global writes there
n=1
while [ -f "$scratch/step$n" ]; do
    echo "==== step $n: $(head -n 1 "$scratch/step$n")"
    sh -e "$scratch/step$n"
    n=$((n + 1))
done
missing=0
for file in index.html 404.html sitemap.xml steps/06-gpu-naive/index.html docs/grid-block-thread.png pdf/strassen-ladder.pdf \
    pdf/06-gpu-naive.pdf phone/06-result.svg search/search_index.json api/index.html playground/index.html; do
    [ -s "build/docs/html/$file" ] || { echo "missing: $file"; missing=1; }
done
! grep -rlF "$scratch" build/docs/html --include='*.html' --include='*.pdf' | head -n 3 | grep . || { echo 'these name the folder where they were made'; missing=1; }
python3 tests/site/crawl.py build/docs/html || missing=1 # the previews' addresses, too
[ $missing -ne 0 ] || echo "all is there: $n steps, $(find build/docs/html -name '*.html' | wc -l) pages"
exit $missing
