#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""crawl.py SITE: follows every link in a built site, in its pages and its style sheets, without a browser. Says
what leads nowhere: a file that is not there, an anchor that its page does not have, anything from the network; and
which chapter links none of the functions that it uses, does not lead on to the next chapter, or has a title or a
description that another page has; which page fetches the players' script for nothing, and which has a preview that is
not there; which file of the playground has another size than the one by which its service worker keeps it.
Exit status: 0 nothing, 1 something, 77 there is no site."""
import html
import html.parser
import os
import re
import sys
import urllib.parse

LINKS = {'a': ['href'], 'link': ['href'], 'script': ['src'], 'img': ['src'], 'iframe': ['src', 'data-src'], 'source': ['src', 'srcset'],
         'figure': ['data-player'], 'area': ['href'], 'object': ['data']}
VOID = {'area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'}
FORMULA = '\ufffc'  # replaces one in a page's text
AS_IT_IS = {'a', 'code', 'pre', 'script', 'style', 'svg', 'title', 'nav', 'label'}  # not searched for formulas


class Page(html.parser.HTMLParser):
    """A page's anchors, and its links with their lines."""

    def __init__(self, text, whole=True):
        super().__init__(convert_charrefs=True)
        self.anchors, self.links, self.players, self.stills, self.inside = set(), [], 0, 0, False
        self.open, self.text = [], []
        self.says = re.findall(r'<title>(.*?)</title>|<meta name="description" content="(.*?)">', text)
        self.raw = 'class=&quot;tex&quot;' in text
        self.buttons = 'class="do-it"' in text
        self.previews = re.findall('<meta property="og:image" content="(.*?)">', text)
        if whole:
            self.feed(text)
        else:
            self.skim(text)

    def skim(self, text):
        """The same of a page that a tool wrote in the plainest way, in a fraction of the time: its text is left out."""
        line, last = 1, 0
        for found in re.finditer(r'<(\w+)((?:\s+[\w-]+(?:="[^"]*")?)+)\s*/?>', text):
            line, last = line + text.count('\n', last, found.start()), found.start()
            attributes = {key: html.unescape(value) for key, value in re.findall(r'([\w-]+)="([^"]*)"', found.group(2))}
            self.anchors.update(attributes[key] for key in ('id', 'name') if attributes.get(key))
            self.links += [(line, attributes[key], found.group(1), attributes.get('rel')) for key in LINKS.get(found.group(1), ()) if attributes.get(key)]

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if attributes.get('class') == 'tex':
            self.text.append(FORMULA)
        if tag not in VOID:
            self.open.append((tag, tag in AS_IT_IS or attributes.get('class') in ('tex', 'place')))
        for key in ('id', 'name'):
            if attributes.get(key):
                self.anchors.add(attributes[key])
        for key in LINKS.get(tag, ()):
            if attributes.get(key):
                self.links.append((self.getpos()[0], attributes[key], tag, attributes.get('rel')))
        if tag == 'figure':
            self.inside = 'data-player' in attributes
            self.players += self.inside
        if tag == 'img' and self.inside:
            self.stills, self.inside = self.stills + 1, False

    def handle_endtag(self, tag):
        while any(name == tag for name, _ in self.open) and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        self.text.append('' if any(hidden for _, hidden in self.open) else data)

    def half_set(self):
        """Words with an exponent outside of formulas, as the site would show 4^−L as it is written; and signs beside a formula
        that the site begins too late or ends too early."""
        text = re.sub('"[^"]*"', '', ''.join(self.text))
        return re.findall(r'[^\s"]*[0-9A-Za-z)](?:[⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ⁻]|\^)\S*', text) + \
            re.findall(r'\S* ?[=+−·×≤≥≈/] ?%s|%s ?[=+−·×≤≥≈/] ?\S+' % (FORMULA, FORMULA), text)


def main():
    site = os.path.abspath(sys.argv[1])
    if not os.path.exists(os.path.join(site, 'index.html')):
        print('skipped: no site in %s; ./ladder docs makes it' % site)
        return 77
    pages, wrong, links = {}, 0, 0
    for where, _, names in os.walk(site):
        for name in names:
            if name.endswith('.html'):
                path = os.path.join(where, name)
                with open(path, encoding='utf-8', errors='replace') as file:
                    pages[path] = Page(file.read(), whole=not os.path.relpath(path, site).startswith('api' + os.sep))

    def fault(page, line, link, what):
        nonlocal wrong
        wrong += 1
        if wrong <= 40:
            print('%s:%d: %s: %s' % (os.path.relpath(page, site), line, link, what))

    chapters = [os.path.join(site, 'steps', name, 'index.html') for name in sorted(os.listdir(os.path.join(site, 'steps')))]
    said, whole_site = {}, os.path.exists(os.path.join(site, 'sitemap.xml'))  # a site map: the site was made for an address
    page_of_exercises = os.path.exists(os.path.join(site, 'playground', 'lab.wasm.gz'))
    hidden = [os.path.join(where, name) for where, folders, names in os.walk(site) for name in folders + names if name.startswith('.')]
    for path in hidden:  # MkDocs 1.5 leaves such pages out, and so does what uploads a site
        fault(path, 1, os.path.basename(path), 'begins with a dot')
    for path, page in sorted(pages.items()):
        place = os.path.relpath(path, site).replace(os.sep, '/')
        for words in page.says if place.startswith(('steps/', 'exercises/', 'docs/')) else ():
            if words in said:
                fault(path, 1, ''.join(words), 'is also said of ' + said[words])
            said[words] = place
        step = re.match(r'(?:steps|exercises)/(\d\d)-', place)
        after = step and next((chapter for chapter in chapters if step.group(1) < os.path.basename(os.path.dirname(chapter))[:2] < 'a'), None)
        following = [os.path.normpath(os.path.join(os.path.dirname(path), link)) for _, link, _, rel in page.links if rel == 'next']
        if step and following != ([after] if after else []):
            fault(path, 1, 'next', 'leads to %s' % following)
        for words in page.half_set() if re.match('steps/|exercises/|docs/', place) else ():
            fault(path, 1, words, 'is a formula that is not set, or set by half')
        for address in page.previews:  # where the site will be is not known here: its folders come before the picture's own
            parts = urllib.parse.unquote(urllib.parse.urlsplit(address).path).strip('/').split('/')
            if not any(os.path.exists(os.path.join(site, *parts[i:])) for i in range(len(parts))):
                fault(path, 1, address, 'is the preview, and there is no such picture')
        if whole_site and place != '404.html' and '/search/' not in place and len(page.previews) != 1:
            fault(path, 1, 'og:image', 'is there %d times' % len(page.previews))
        if page.raw and not place.startswith('source/'):
            fault(path, 1, 'formula', 'is shown as HTML')
        if place == 'index.html':
            for line, link, *_ in page.links:
                if link.endswith('.jsonl'):
                    fault(path, line, link, 'is a file of JSON, not a row that can be read')
        if re.match('exercises/.', place) and not (page.buttons or place == 'exercises/index.html' or not page_of_exercises):
            fault(path, 1, 'exercise', 'cannot be done in the page')
        if re.fullmatch(r'steps/\d[^/]*/index.html', place) and any(re.match(r'\d\d', name) for name, _ in page.says):
            fault(path, 1, 'title', 'is not a title that somebody searches for')
        if page.players != page.stills:
            fault(path, 1, 'figure', 'a player without a still picture')
        for line, link, tag, _ in page.links:
            if tag == 'script' and link.endswith('player.js') and not page.players:
                fault(path, line, link, 'is fetched for nothing')
        if re.fullmatch(r'steps/[^/]+/index.html', place) and not any('/api/' in link[1] for link in page.links):
            fault(path, 1, 'chapter', 'no name in it leads to the headers')
        if os.path.basename(path) == '404.html':
            continue  # it does not know in which folder it will be asked for
        for line, link, tag, rel in page.links:
            links += 1
            parts = urllib.parse.urlsplit(link)
            if parts.scheme in ('mailto', 'javascript', 'data'):
                continue
            if parts.scheme or parts.netloc:
                if tag != 'a' and rel != 'canonical':
                    fault(path, line, link, 'comes from the network')
                continue
            target = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(parts.path))) if parts.path else path
            if os.path.isdir(target):
                target = os.path.join(target, 'index.html')
            if not os.path.exists(target):
                fault(path, line, link, 'there is no such file')
            elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].anchors \
                    and not parts.fragment.startswith('__'):
                fault(path, line, link, 'that page has no such anchor')
    for where, _, names in os.walk(site):
        for name in (name for name in names if name.endswith('.css')):
            path = os.path.join(where, name)
            with open(path, encoding='utf-8', errors='replace') as file:
                text = re.sub(r'/\*.*?\*/', '', file.read(), flags=re.S)
            if name == 'doxygen.css':  # from Doxygen 1.9.5 on it has variables, whose files are next to the sheets that use them
                text = re.sub(r'--[\w-]+:[^;{}]*', '', text)
            for link in re.findall(r'url\([\'"]?([^\'")]+)', text):
                links += 1
                if re.match('https?:|//', link):
                    fault(path, 1, link, 'comes from the network')
                elif not link.startswith(('data:', '#')) and not link.endswith(('.woff', '.ttf')) and \
                        not os.path.exists(os.path.normpath(os.path.join(where, re.split('[?#]', link)[0]))):
                    fault(path, 1, link, 'there is no such file')
    worker = os.path.join(site, 'playground', 'offline.js')
    if os.path.exists(worker):
        with open(worker, encoding='utf-8') as file:
            for name, size in re.findall(r"'([^']+)': (\d+)", file.read()):
                if os.path.getsize(os.path.join(site, 'playground', name if name != './' else 'index.html')) != int(size):
                    fault(worker, 1, name, 'is not %s bytes long: without a network the playground does not come' % size)
    print('%d pages, %d links, %d wrong' % (len(pages), links, wrong))
    return 1 if wrong else 0



if __name__ == '__main__':
    sys.exit(main())
