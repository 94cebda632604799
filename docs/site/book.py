# SPDX-License-Identifier: MIT
"""What MkDocs calls while it builds the site (mkdocs.yml, "hooks").

The book's pages are the Markdown files of the repository, read in place; nothing is copied into the repository. This file
finds them by the folders that exist, puts them in order and prepares them: links to sources lead to pages with line
numbers, pictures become numbered figures, formulas are set, exercises follow their chapter.

Environment: LADDER_SITE, the folder in which tools/scripts/docs left the site's other parts: api/, names.xml, players/
and, if it could be made, playground/. LADDER_SITE_URL, the address at which the site will be: with it there are a
site map, canonical addresses, previews and a page for addresses that do not exist. LADDER_REPOSITORY_URL, the repository's
page on a Git host: with it each page can be edited, and mistakes reported. LADDER_PDF: pages offer the PDFs that pdf.py makes afterwards.
"""
import glob
import html
import json
import logging
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

from mkdocs.structure.files import File
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import formulas  # noqa: E402
import ladder  # noqa: E402
from ladder import ROOT, do_it, read, title, write  # noqa: E402

SITE = os.environ.get('LADDER_SITE', '')
LOG = logging.getLogger('mkdocs.plugins.book')
WEB = 'https?://|mailto:|#'
KATEX = '/usr/share/javascript/katex'


def found(pattern):
    return sorted(os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(glob.escape(ROOT), pattern), recursive=True))


# Pages that the site has and the repository lacks (ladder.py makes all but the first).
CLIMB, EXERCISES, GALLERY, NUMBERS = 'steps/short-climb/README.md', 'exercises/README.md', 'docs/run-here.md', 'docs/numbers.md'


class Book:
    """The pages in their order, and the sources that they link to."""

    def __init__(self):
        self.chapters = [os.path.dirname(path) for path in found('steps/[0-9][0-9]-*/README.md')]
        self.exercises = [os.path.dirname(path) for path in found('exercises/[0-9][0-9]-*/README.md')]
        pages = [path for path in found('docs/**/*.md') if not path.startswith(('docs/site/', 'docs/classroom/answers'))]
        pages += [path for path in found('*.md') + found('*/README.md') + found('simgpu/docs/*.md') if path != 'README.md']
        self.others = self.in_readme_order(pages)
        self.markdown = ['README.md'] + self.others
        for folder in self.chapters:
            self.markdown += found(glob.escape(folder) + '/*.md')
        self.markdown += [folder + '/README.md' for folder in self.exercises]
        self.sources = {}  # path -> page, of every source that some page links to
        self.offers = offers()  # what the playground has
        self.playground = self.offers.get('regions', {})  # "path region" -> the query in the address of its program's page
        self.made = [CLIMB, EXERCISES, NUMBERS] + ([GALLERY] if self.playground else [])
        self.data = set()  # results stay files: they are for programs
        for page in self.markdown:
            for path in linked_files(page):
                if path.endswith(('.jsonl', '.csv')):
                    self.data.add(path)
                else:
                    self.sources.setdefault(path, source_page(path))
        self.source_of = {page: path for path, page in self.sources.items()}

    @staticmethod
    def in_readme_order(pages):
        """Pages in the order in which the README links to them; the others after them."""
        readme = read('README.md')
        place = {page: readme.find('](' + page) for page in pages}
        return sorted(pages, key=lambda page: (place[page] < 0, place[page], page))

    def exercises_of(self, chapter):
        number = os.path.basename(chapter)[:2]
        return [folder for folder in self.exercises if os.path.basename(folder).startswith(number + '-')]

    def navigation(self):
        parts, on_gpu = {}, False
        for chapter in self.chapters:  # what follows the first step on the GPU builds on it
            name = os.path.basename(chapter)
            on_gpu = on_gpu or os.path.exists(os.path.join(ROOT, chapter, name + '.cu'))
            pages = [chapter + '/README.md']
            pages += [{short(title(path)): path} for path in found(glob.escape(chapter) + '/*.md') if path not in pages]
            pages += [{'Exercise: ' + short(title(folder + '/README.md')): folder + '/README.md'}
                      for folder in self.exercises_of(chapter)]
            parts.setdefault('On the GPU' if on_gpu else 'On the processor', []).append({title(pages[0]): pages})
        nav = [{'Home': 'README.md'}] + [{part: chapters} for part, chapters in parts.items()]
        nav += [{'Pages': [CLIMB] + self.others + [NUMBERS]}, {'Exercises': EXERCISES}]
        if os.path.exists(os.path.join(SITE, 'api', 'index.html')):
            nav.append({'Headers': 'api/index.html'})
        if self.playground:
            nav += [{'Gallery': GALLERY}, {'Playground': 'playground/index.html'}]
        return nav


def source_page(path):
    """The page of a source. No name in it begins with a dot: MkDocs 1.5 and what uploads a site leave out such files."""
    return 'source/' + re.sub(r'(^|/)\.', r'\1dot-', path) + '.md'


def offers():
    path = os.path.join(SITE, 'playground', 'offers.json')
    if not SITE or not os.path.exists(path):
        return {}
    with open(path, encoding='utf-8') as file:
        return json.load(file)


def short(name):
    """A title without the step's number before it."""
    return 'Appendix' if name.startswith('Appendix') else re.sub(r'^\d\d\S* – ', '', name)


def target(page, link):
    """The path in the repository that a page's link means."""
    return os.path.normpath(os.path.join(os.path.dirname(page), link.split('#')[0]))


def prose(text):
    """A page's text with code and comments blanked out, at the same places."""
    blank = lambda match: re.sub(r'[^\n]', ' ', match.group())
    return re.sub(r'^```.*?^```[^\n]*$|`[^`\n]+`|<!--.*?-->', blank, text, flags=re.S | re.M)


LINK = re.compile(r'(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)')
REFERENCE = re.compile(r'^\[[^\]]+\]: (\S+)', re.M)  # [name]: file "title"; in the text, [words][name]
REGION = re.compile(r'^<!-- code (\S+) (.*?) -->$', re.M)


def linked_files(page):
    """The files other than pages and pictures that a page links to or shows code from."""
    text = read(page)
    links = [match.group(3) for match in LINK.finditer(prose(text)) if not match.group(1)] + REFERENCE.findall(text)
    paths = [target(page, link) for link in links if not re.match(WEB, link)]
    paths += [match.group(1) for match in REGION.finditer(text)]
    return [path for path in paths if os.path.isfile(os.path.join(ROOT, path)) and not path.endswith(('.md', '.svg'))]


book = None


# ---- MkDocs calls these, in this order ----

def on_config(config):
    global book
    book = Book()
    config['nav'] = book.navigation()
    config['site_url'] = os.environ.get('LADDER_SITE_URL', '').rstrip('/') + '/' if os.environ.get('LADDER_SITE_URL') else None
    repository = os.environ.get('LADDER_REPOSITORY_URL', '').rstrip('/')
    if repository:
        config['repo_url'], config['repo_name'], config['edit_uri'] = repository, 'Source', repository + '/edit/main/'
        config['copyright'] = 'Found a mistake? <a href="%s/issues/new">Report it</a>.' % html.escape(repository)
    return config


def on_files(files, config):
    """The repository's pages and pictures, KaTeX, and what tools/scripts/docs made."""
    def add(path, folder):
        files.append(File(path, folder, config['site_dir'], config['use_directory_urls']))

    for path in book.markdown:
        add(path, ROOT)
    for path in found('docs/**/*.svg') + found('docs/*.svg') + found('steps/**/*.svg') + found('exercises/*/*.svg'):
        if path not in files.src_paths:
            add(path, ROOT)
    for path in sorted(book.data):
        add(path, ROOT)
    for path in book.made + list(book.sources.values()):
        add(path, HERE)
    for name in ['katex.min.css'] + [os.path.join('fonts', font) for font in os.listdir(KATEX + '/fonts')]:
        if not name.endswith(('.ttf', '.woff')):
            add_at(files, config, os.path.join(KATEX, name), 'assets/katex/' + name)
    for folder in ('api', 'players', 'playground', 'phone'):
        for where, _, names in os.walk(os.path.join(SITE, folder)) if SITE else ():
            for name in names:
                add(os.path.relpath(os.path.join(where, name), SITE), SITE)
    return files


def add_at(files, config, path, place):
    file = File(place, '/', config['site_dir'], False)
    file.abs_src_path = path
    files.append(file)


def on_page_read_source(page, config):
    """A source's page: its lines come in on_page_content()."""
    path = page.file.src_path
    if path in book.made:
        return {CLIMB: short_climb, NUMBERS: ladder.numbers, GALLERY: lambda: ladder.gallery(book.offers['programs']),
                EXERCISES: lambda: ladder.exercise_list(book.exercises, chapter_page, book.offers)}[path]()
    if path.startswith('source/'):
        return '# %s\n' % os.path.basename(book.source_of[path])
    return None


def on_page_markdown(markdown, page, config, files):
    path = page.file.src_path
    page.meta['preview'] = preview(LADDER, config)
    if path.startswith('source/') or path in book.made:
        page.meta['hide'] = ['toc'] if path != CLIMB else []
        page.meta['description'] = html.escape(first_sentences(markdown)) if path in book.made else None
        page.edit_url = None
        return markdown
    describe(page, markdown, config)
    if path == 'README.md':
        page.meta['hide'] = ['navigation', 'toc']
        markdown = ladder.with_ladder(markdown, book.exercises, book.offers)
    if path == GLOSSARY:
        markdown = with_chapters(markdown)
    return Chapter(path, markdown).made()


def on_page_content(content, page, config, files):
    path = page.file.src_path
    content = re.sub(r'<th([^>]*)></th>', r'<td\1></td>', content)  # a column without a name has no heading
    content = re.sub(r'<table>.*?</table>', as_items if path == 'docs/figures.md' else with_labels, content, flags=re.S)
    sections = re.findall(r'<h2 id="([^"]*)">(.*?)(?:<a class="headerlink"|</h2>)', content, re.S)
    if len(sections) > 5 and 'toc' not in page.meta.get('hide', ()):  # for windows without a table of contents next to the text
        page.meta['contents'] = '</h1>\n<details class="contents"><summary>On this page</summary><ul>%s</ul></details>' % ''.join(
            '<li><a href="#%s">%s</a></li>' % (place, re.sub('</?a[^>]*>', '', words)) for place, words in sections)
    if path.startswith('source/'):
        return content + source_lines(book.source_of[path])
    chapter = re.match(r'steps/(\d\d)-', path)
    return with_headers(content, '../' * path.count('/'), int(chapter.group(1))) if chapter else content


def with_labels(match):
    """A table whose cells say what column they are in, for windows where its rows become cards; on a phone all with more than four do."""
    table = match.group()
    head, body, rest = re.match('(.*?<tbody>)(.*)(</tbody>.*)', table, re.S).groups() if '<tbody>' in table else (table, '', '')
    names = [html.unescape(re.sub('<[^>]*>', '', cell)).strip() for cell in re.findall(r'<t[hd][^>]*>(.*?)</t[hd]>', head, re.S)]
    if len(names) < 3 or not body:
        return table
    rows = body.split('</tr>')
    for i, row in enumerate(rows):
        cells = iter(names)
        rows[i] = re.sub('<td([^>]*)>(.*?)</td>', lambda cell: '<td data-label="%s"%s><span>%s</span></td>' % (
            html.escape(next(cells, '')), *cell.groups()), row, flags=re.S)
    return (head.replace('<table>', '<table data-cards>') if len(names) > 4 else head) + '</tr>'.join(rows) + rest


def on_post_page(output, page, config):
    before, heading, after = output.partition('</h1>')  # after the search has read the page's text
    return before + page.meta.get('contents', heading) + after


def as_items(match):
    """A table of the documents' figures as a list whose items open: what it says of one is long, and a phone's window and paper are narrow."""
    rows = [re.findall(r'<t[hd][^>]*>(.*?)</t[hd]>', row, re.S) for row in match.group().split('</tr>')]
    return '\n'.join('<details class="item"><summary>%s <em>%s</em></summary><dl>%s</dl></details>' % (
        cells[1], re.sub(r'\W+$', '', re.search('<em>(.*?)</em>', cells[4]).group(1)),
        ''.join('<dt>%s</dt><dd>%s</dd>' % pair for pair in zip(rows[0][2:], cells[2:]) if pair[1] != '–')) for cells in rows[1:] if len(cells) == 6)


def on_page_context(context, page, config, nav):
    """Chapters lead to their neighbours; an appendix or exercise leads back to its chapter and on to the next one."""
    path = page.file.src_path
    number = re.match(r'(?:steps|exercises)/(\d\d)-', path)
    chapter = number and chapter_page(number.group(1))
    if chapter:
        pages = {other.file.src_path: other for other in nav.pages}
        order = [folder + '/README.md' for folder in book.chapters]
        at = order.index(chapter)
        before = chapter if path != chapter else order[at - 1] if at else 'README.md'
        page.previous_page = pages.get(before)
        page.next_page = pages.get(order[at + 1]) if at + 1 < len(order) else None
    return context


def on_post_build(config):
    make_search_index(config)
    finish_pages(config['site_dir'])
    if os.environ.get('LADDER_PDF'):
        os.makedirs(os.path.join(config['site_dir'], 'pdf'), exist_ok=True)
        with open(os.path.join(config['site_dir'], 'pdf', 'pages.json'), 'w', encoding='utf-8') as file:
            json.dump({'title': config['site_name'], 'description': config['site_description'], 'pages': pdf_pages(),
                       'changed': max(last_changes().values(), default='')}, file)
    if config['site_url']:
        make_previews(config['site_dir'])
        preview_others(config)
        return
    for name in ('sitemap.xml', 'sitemap.xml.gz'):  # each holds addresses, and no address was given
        path = os.path.join(config['site_dir'], name)
        if os.path.exists(path):
            os.remove(path)


PLACE = re.compile(r'<(span|div) class="tex" data-tex="([^"]*)"(?: data-lines="([^"]*)")?>.*?</\1>', re.S)
SET = '''const katex = require(process.argv[1]);
process.stdout.write(JSON.stringify(JSON.parse(require("fs").readFileSync(0)).map(([tex, displayMode]) => {
    try { return katex.renderToString(tex, { displayMode, throwOnError: true }); } catch { return null; } })));'''


def finish_pages(site):
    """Sets the formulas; without node, and where KaTeX does not understand one, they stay text. A formula in equations has in a template what
    is shown where the whole is too wide. A page without formulas does without KaTeX's style sheet, and one without a player
    without its script."""
    pages, wanted = {}, {}
    for where, _, names in os.walk(site):
        for name in (name for name in names if name.endswith('.html') and not where.startswith(os.path.join(site, 'api'))):
            pages[os.path.join(where, name)] = read(os.path.join(where, name))
    for text in pages.values():
        for kind, tex, lines in PLACE.findall(text):
            wanted[html.unescape(tex), kind == 'div'] = None
            wanted.update(dict.fromkeys(('\\displaystyle ' + line, False) for line in json.loads(html.unescape(lines) or '[]')))
    if wanted and shutil.which('node'):
        made = subprocess.run(['node', '-e', SET, KATEX + '/katex.min.js'], input=json.dumps(list(wanted)), stdout=subprocess.PIPE, text=True, check=True)
        wanted = dict(zip(wanted, json.loads(made.stdout)))

    def formula(match):
        kind, tex, lines = match.groups()
        whole = wanted[html.unescape(tex), kind == 'div']
        narrow = [wanted['\\displaystyle ' + line, False] for line in json.loads(html.unescape(lines or '') or '[]')]
        if not whole or None in narrow:
            return match.group()
        if narrow:
            whole = '<div class="whole">%s</div><template>%s</template>' % (whole, ''.join('<div class="line">%s</div>' % line for line in narrow))
        return '<%s class="tex">%s</%s>' % (kind, whole, kind)

    for path, text in pages.items():
        changed = PLACE.sub(formula, text)
        if not PLACE.search(text):
            changed = re.sub(r'<link rel="stylesheet" href="[^"]*katex\.min\.css">', '', changed)
        if ' data-player="' not in text:
            changed = re.sub(r'<script src="[^"]*assets/player\.js"></script>', '', changed)
        if changed != text:
            write(path, changed)


# What the book on paper has besides its chapters, before them and after them.
BEFORE = ['docs/ways.md', 'docs/cuda-primer.md', 'docs/row-major.md', 'docs/count-tables.md', 'docs/measuring-time.md',
          'docs/floating-point.md']
AFTER = ['docs/glossary.md', 'docs/hardware.md', 'docs/sources.md']


def pdf_pages():
    """The pages of the book on paper (pdf.py): their addresses and titles, a chapter's file, and the pages in it."""
    found = []
    for path in BEFORE + [folder + '/README.md' for folder in book.chapters] + AFTER:
        found.append({'page': path.replace('README.md', 'index.html').replace('.md', '.html'), 'title': title(path)})
        if path.endswith('/README.md'):
            found[-1]['file'] = chapter_pdf(path)
            found += [{'page': other[:-len('.md')] + '.html', 'title': title(other), 'within': True}
                      for other in book.markdown if os.path.dirname(other) == os.path.dirname(path) and other != path]
    return [page for page in found if page['page'].replace('index.html', 'README.md').replace('.html', '.md') in book.markdown]


def chapter_pdf(path):
    return 'pdf/%s.pdf' % os.path.basename(os.path.dirname(path))


def make_search_index(config):
    """What the search indexes of each page: sources stay out, and a page that introduces a term comes first."""
    path = os.path.join(config['site_dir'], 'search', 'search_index.json')
    index = json.loads(read(path))
    index['docs'] = [doc for doc in index['docs'] if not doc['location'].startswith(('source/', 'steps/short-climb/', 'docs/numbers.html'))]
    index['docs'] += [{'location': 'docs/glossary.html#' + anchor(terms), 'title': terms, 'text': re.sub(r'[*`]|\s+', ' ', text).strip()}
                      for terms, text, _ in ENTRY.findall(read(GLOSSARY))]
    if book.playground:
        index['docs'].append({'location': 'playground/index.html', 'title': 'Playground: write and run CUDA in this browser', 'text':
                              'A CUDA compiler and a simulated GPU, online, without a GPU: counts of each line, mistakes at their line.'})
    places = {doc['location']: doc for doc in index['docs']}
    for doc in index['docs']:  # a page's own entry repeats the text of all its sections
        section = next((other for other in index['docs'] if other['location'].startswith(doc['location'] + '#') and other['text']), None)
        if '#' not in doc['location'] and section:
            doc['text'] = doc['text'].split(section['text'][:80])[0]
        number = re.match(r'steps/(\d\d)-.*#', doc['location'])
        if number and not doc['title'].startswith(number.group(1)):  # chapters share the same headings
            doc['title'] = '%s · %s' % (number.group(1), doc['title'])
        if doc['location'].startswith('docs/glossary.html') and doc in places.values():
            doc['text'] = ''  # it is that of its entries
    for place, words in search_words().items():
        places[place]['tags'] = sorted(words)
    text = json.dumps(index, ensure_ascii=False, separators=(',', ':'))
    write(path, text)
    # Read from a folder, without a server, no page may read another file, but it may load a script.
    write(os.path.join(config['site_dir'], 'search', 'search_index.js'), 'var __index = ' + text.replace('</', '<\\/') + ';\n')


# ---- what search engines and previews show of a page ----

previews = set()  # pictures of which there must be a .png
LADDER = 'docs/results/ladder.svg'  # the preview of a page without a picture


def describe(page, text, config):
    """A page's title where its own is too short, its description, its preview, and the day of its last change."""
    path = page.file.src_path
    words = title(path)
    if path.startswith('exercises/'):
        words = 'Exercise ' + words
    if path.startswith('steps/') and path.endswith('/README.md'):
        words = re.search('^## %s (.*)' % words[:2], read('docs/site/questions.md'), re.M).group(1)
    page.meta['title'] = html.escape(words if path != 'README.md' else 'CUDA in the browser, from the triple loop to Strassen on the GPU', quote=False)
    page.meta['description'] = html.escape(path != 'README.md' and first_sentences(text) or config['site_description'])
    page.meta['changed'] = last_changes().get(path)
    if os.environ.get('LADDER_PDF') and path.startswith('steps/') and path.endswith('/README.md'):
        page.meta['pdf'] = chapter_pdf(path)
    pictures = [target(path, match.group(3)) for match in LINK.finditer(prose(text)) if match.group(1)]
    if pictures and pictures[0].endswith('.svg'):
        page.meta['preview'] = preview(pictures[0], config)


def preview(picture, config):
    """The address of a picture as a PNG, where the site has an address and rsvg-convert is there."""
    if not config['site_url'] or not shutil.which('rsvg-convert'):
        return None
    previews.add(picture)
    return config['site_url'] + os.path.splitext(picture)[0] + '.png'


def preview_others(config):
    """What the pages of other tools, the playground and the headers' pages, show in a preview."""
    for path in glob.glob(os.path.join(glob.escape(config['site_dir']), 'playground', 'index.html')) + glob.glob(
            os.path.join(glob.escape(config['site_dir']), 'api', '*.html')):
        text = read(path)
        name = re.search('<title>(.*?)</title>', text, re.S)
        tags = [('title', name.group(1) if name else config['site_name']), ('type', 'website'), ('image', preview(LADDER, config)),
                ('url', config['site_url'] + os.path.relpath(path, config['site_dir']))]
        write(path, text.replace('</head>', ''.join('<meta property="og:%s" content="%s">\n' % tag for tag in tags if tag[1]) + '</head>', 1))
        worker = os.path.join(os.path.dirname(path), 'offline.js')
        if os.path.exists(worker):  # it keeps the playground's page only if all its bytes have come
            write(worker, re.sub(r"('(?:\./|index\.html)'): \d+", r'\1: %d' % os.path.getsize(path), read(worker)))


def first_sentences(text):
    """The first sentences of a page's first paragraph, or of that under The idea, up to 160 characters."""
    body = re.split(r'^## The idea$', text, maxsplit=1, flags=re.M)[-1]
    for paragraph in re.split(r'\n\n+', re.sub(r'<!-- way -->.*?<!-- end -->|<!--.*?-->|^```.*?^```$', '', body, flags=re.S | re.M)):
        if re.match(r'\w|\*\*|`|\[', paragraph) and not paragraph.startswith(('You should know', '[Begin')):
            words = re.sub(r'!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])', r'\1', paragraph)
            words = re.sub(r'\s+', ' ', re.sub(r'[`*]', '', words)).strip()
            if len(words) < 40:  # too few to describe the page
                continue
            while len(words) > 160 and re.search(r'(?<!al)[.:;?!] \S', words):
                words = words[:max(match.start() + 1 for match in re.finditer(r'(?<!al)[.:;?!] \S', words))]
            return words if len(words) <= 160 else words[:157].rsplit(' ', 1)[0] + ' …'
    return ''


def last_changes():
    """{file: day of its last change}, where git knows it."""
    global changes
    if changes is None:
        log = subprocess.run(['git', '-C', ROOT, 'log', '--format=%x00%cs', '--name-only', '--', '*.md'], capture_output=True,
                             text=True, check=False).stdout if shutil.which('git') else ''
        changes = {}
        for commit in log.split('\0')[1:]:
            day, *names = commit.split('\n')
            for name in names:
                changes.setdefault(name, day)
    return changes


changes = None


def make_previews(site):
    for picture in sorted(previews):
        subprocess.run(['rsvg-convert', '--width', '1200', '--background-color', 'white', '--output',
                        os.path.join(site, os.path.splitext(picture)[0] + '.png'), os.path.join(ROOT, picture)], check=True)


# ---- a page's text ----

LEAST = 11  # pixels: the height of a picture's smallest letters on a phone


def legible(picture):
    """A style with the width that a picture needs on a phone, and its size, so that nothing moves when it comes."""
    text = read(picture) if picture.endswith('.svg') else ''
    size = re.search(r'viewBox="[\d.-]+ [\d.-]+ ([\d.]+) ([\d.]+)"', text)
    letters = [float(number) for number in re.findall(r'font-size[=:]\s*"?([\d.]+)|font:[^;"}]*?([\d.]+)px', text) for number in number if number]
    if not size:
        return ''
    width, height = map(float, size.groups())
    style = ' style="--legible:%dpx"' % round(width * LEAST / min(letters)) if letters else ''
    return ' width="%d" height="%d"%s' % (width, height, style)



class Chapter:
    """Prepares a page's Markdown for the site."""

    def __init__(self, path, text, whole=True):
        self.path, self.text, self.whole, self.figures = path, text, whole, 0
        self.up = '../' * path.count('/')

    def made(self):
        text = self.with_exercises(self.text) if self.whole else self.text
        text = self.with_runs(text)
        text = REGION.sub(self.source_of_region, text)
        text = re.sub(r'^```math\n(.*?)^```$', lambda m: block_formula(m.group(1), m.group(1), [m.group(1).strip()]), text, flags=re.S | re.M)
        text = re.sub(r'(?<!-->\n)^```text\n(.*?)^```$', self.block, text, flags=re.S | re.M)
        out, at = [], 0  # code and HTML stay unchanged, all other text is processed
        for match in re.finditer(r'^```.*?^```[^\n]*$|^<(?:div|figure).*?^</(?:div|figure)>$|<!--.*?-->', text, re.S | re.M):
            out += [self.running(text[at:match.start()]), match.group()]
            at = match.end()
        return ''.join(out) + self.running(text[at:])

    def block(self, match):
        tex = formulas.block(match.group(1))
        return match.group() if tex is None else block_formula(tex, match.group(1), formulas.equations(match.group(1)))

    def running(self, text):
        """Processes text without code blocks: pictures, links and formulas in it."""
        out = []
        text = LINK.sub(lambda link: link.group() if '\n\n' in link.group() else link.group().replace('\n', ' '), text)
        for line in text.split('\n'):
            picture = re.fullmatch(r'!\[([^\]]*)\]\(([^()\s]+)\)', line)
            if picture:
                out.append(self.figure(*picture.groups()))
            elif line.startswith('#'):
                out.append(line)
            elif REFERENCE.match(line):
                link = REFERENCE.match(line).group(1)
                path = target(self.path, link)
                if self.path == 'README.md':  # a row that can be read, not a file of JSON
                    out.append(line.replace(link, NUMBERS + '#n-' + line[1:line.index(']')], 1))
                else:
                    out.append(line.replace(link, self.up + book.sources[path], 1) if path in book.sources else line)
            else:
                parts = re.split(r'(`[^`]+`|!?\[(?:[^\[\]]|\[[^\]]*\])*\]\([^()\s]+\)|<[^>]+>)', line)
                out.append(''.join(LINK.sub(self.link, part) if i % 2 else formulas.inline(part)
                                   for i, part in enumerate(parts)))
        return '\n'.join(out)

    def link(self, match):
        picture, words, link = match.groups()
        if picture or re.match(WEB, link):
            return match.group()
        path = target(self.path, link)
        anchor = link[link.index('#'):] if '#' in link else ''
        if path in book.sources:
            return '[%s](%s%s)' % (words, self.up + book.sources[path], anchor)
        if path + '/README.md' in book.markdown:
            return '[%s](%s%s)' % (words, self.up + path + '/README.md', anchor)
        if os.path.isdir(os.path.join(ROOT, path)):
            return words  # folders have no page
        return match.group()

    def figure(self, words, place):
        """A picture with its number: that of its chapter, and a count."""
        self.figures += 1
        number = re.match(r'(?:steps|exercises)/(\d\d)-', self.path)
        name = '%s%d' % (str(int(number.group(1))) + '.' if number else '', self.figures)
        player = self.player(target(self.path, place))
        if re.search(r'^#+ Figure \d', self.text, re.M):
            label = ''  # the page shows other people's figures, with their own numbers
        else:
            label = '<b>Figure %s.</b> ' % name
        return ('<figure class="picture%s" id="figure-%s"%s>\n<a href="%s">%s</a>\n'
                '<figcaption>%s%s</figcaption>\n</figure>'
                % (' has-player' if player else '', name.replace('.', '-'),
                   ' data-player="%s"' % (self.up + player) if player else '', place, self.image(words, place), label,
                   formulas.inline(html.escape(words, quote=False))))

    def image(self, words, place):
        """An image, with its drawing for phones where tools/scripts/docs made one; otherwise with the width at which its smallest letters
        are 11 pixels high."""
        name = os.path.splitext(os.path.basename(place))[0]
        about = legible(target(self.path, place))
        drawn = os.path.join(SITE, 'phone', name + '.svg') if SITE else ''
        later = ' loading="lazy"' if self.path != 'README.md' else ''  # fetched when it comes near the window
        if not drawn or not os.path.exists(drawn):
            return '<img src="%s" alt="%s"%s%s>' % (place, html.escape(words), later, about)
        return ('<picture><source media="screen and (max-width: 44.9em)" srcset="%sphone/%s.svg"%s><img src="%s" alt="%s"%s%s></picture>'
                % (self.up, name, re.sub(' style=.*', '', legible(drawn)), place, html.escape(words), later, re.sub(' style=.*', '', about)))

    @staticmethod
    def player(picture):
        """The data with which a picture can be stepped through, if tools/scripts/docs made some."""
        data = 'players/' + os.path.splitext(os.path.basename(picture))[0] + '.js'
        return data if picture.startswith('steps/') and SITE and os.path.exists(os.path.join(SITE, data)) else None

    def source_of_region(self, match):
        """The line above the code of a marked region: its place."""
        path, region = match.groups()
        lines = region_lines(path, region)
        if not lines:
            return match.group()
        page = os.path.splitext(book.sources[path])[0] + '.html'
        run = book.playground.get('%s %s' % (path, region))
        button = ' <a class="run" href="%splayground/index.html?%s">%s here</a>' % (
            self.up, html.escape(run), 'Compare' if '&compare=' in run else 'Run') if run else ''
        return '%s\n<div class="source"><a href="%s#L%d">%s, lines %d to %d</a>%s</div>\n' % (
            match.group(), self.up + page, lines[0], path, *lines, button)

    def with_exercises(self, text):
        """Under the commands that begin a chapter's exercises: links to their pages. On such a page: its command."""
        folder = os.path.dirname(self.path)
        if folder in book.exercises:
            name = os.path.basename(folder)
            here = '\n%s\n' % do_it(self.up, name, words='Do it here') if name in book.offers.get('exercises', ()) else ''
            return re.sub(r'^(# .*\n)', lambda match: '%s%s\n```sh\n./ladder lab start %s\n```\n' % (match.group(), here, name), text, count=1)
        is_chapter = self.path.endswith('/README.md') and self.path.startswith('steps/')
        folders = book.exercises_of(folder) if is_chapter else []
        if is_chapter:
            text = with_questions(text, os.path.basename(folder)[:2])
        if not folders:
            return text
        links = ' · '.join('[%s](%s%s/README.md)' % (short(title(exercise + '/README.md')), self.up, exercise)
                           for exercise in folders)
        return re.sub(r'^(## Exercises\n+(?:[^`#\n][^\n]*\n|\n)*(?:```sh\n.*?^```\n)?)',
                      lambda match: '%s\nWhat they ask: %s\n' % (match.group(), links), text, flags=re.S | re.M)


    def with_runs(self, text):
        """The twenty mistakes and the launch errors: a button for each."""
        offered = {program['id']: program for program in book.offers.get('programs', ()) if program['page'] + '.md' == self.path}
        if 'launch-errors' in offered:
            buttons = ' '.join(do_it(self.up, 'launch-errors', name, name) for name in offered['launch-errors']['variants'])
            text = text.replace('\n## The messages\n', '\nDo them here, without a GPU: %s\n\n## The messages\n' % buttons)
        return re.sub(r'^## (\w+)\n', lambda match: match.group() + ('\n%s\n' % do_it(self.up, match.group(1)) if match.group(1) in offered else ''), text, flags=re.M)


def short_climb():
    """The sections that the short climb reads, in its order, as one page in addition to the chapters."""
    way = re.search(r'^## The short climb\n(.*?)(?=^## )', read('docs/ways.md'), re.M | re.S).group(1)
    out = ['# The short climb on one page', 'All that [the short climb](../../docs/ways.md#the-short-climb) reads, in its order. The '
           'exercises that belong to it are there.']
    references = set()
    for folder in re.findall(r'\]\(\.\./(steps/[^/)]+)/README\.md\)', way):
        text = read(folder + '/README.md')
        here = re.search(r'^\*\*\[The short climb\].*?here: (.*?\*)\. ', text, re.M).group(1)
        references.update(re.findall(r'^\[[^\]]+\]: .*$', text, re.M))
        parts = []
        for name in re.findall(r'\*([^*]+)\*', here):
            section = re.search(r'^## %s\n(.*?)(?=^## )' % re.escape(name), text, re.M | re.S).group(1)
            parts.append('### %s\n%s' % (name, re.sub('^###', '####', section.split('*On the short climb, skip')[0], flags=re.M)))
        made = Chapter(folder + '/README.md', '\n'.join(parts), whole=False).made()
        out.append('## [%s](../%s/README.md)' % (title(folder + '/README.md'), os.path.basename(folder)))
        own = r'(\]\(|(?:href|src)=")(?!\.\./|https?:|#|mailto:)([^)"]+)'  # links in the chapter's own folder
        out.append(re.sub(own, lambda link: '%s../%s/%s' % (link.group(1), os.path.basename(folder), link.group(2)), made))
    return '\n\n'.join(out + sorted(references))


def with_questions(text, number):
    """A chapter with questions that ask why, below its exercises and before the words that lead on; their answers are hidden."""
    section = re.search(r'^## %s [^\n]*\n(.*?)(?=^## |\Z)' % number, read('docs/site/questions.md'), re.M | re.S)
    pairs = re.findall(r'^\*\*(.*?)\*\*\n(.*?)\n(?:\n|\Z)', section.group(1) + '\n' if section else '', re.M | re.S)
    if not pairs:
        return text
    asked = '\n'.join('<details class="why" markdown="0"><summary>%s</summary><p>%s</p></details>' % tuple(
        re.sub(r'`([^`]*)`', r'<code>\1</code>', html.escape(words.strip(), quote=False)) for words in pair) for pair in pairs)
    block = '\n## Why?\n\nAnswer first, then look.\n\n%s\n' % asked
    references = re.search(r'^\[[^\]]+\]: ', text, re.M)
    end = references.start() if references else len(text)
    return text[:end].rstrip() + '\n' + block + '\n' + text[end:]


# ---- the headers' pages ----

def header_names():
    """The functions, macros and structs that Doxygen documents, each with its place in api/: in a header, or in the only
    source that defines the name. A name that several folders define has several meanings and gets no link."""
    places, path = {}, os.path.join(SITE, 'names.xml')
    for compound in xml.etree.ElementTree.parse(path).getroot() if SITE and os.path.exists(path) else ():
        if compound.get('kind') == 'struct':
            places.setdefault('struct ' + compound.findtext('name'), set()).add(('', compound.findtext('filename')))
        for member in compound.findall('member') if compound.get('kind') == 'file' else ():
            if member.get('kind') in ('function', 'define'):
                places.setdefault(member.findtext('name'), set()).add(
                    (compound.findtext('path'), '%s#%s' % (member.findtext('anchorfile'), member.findtext('anchor'))))
    unique = {}
    for name, ways in places.items():
        pages = [page for _, page in ways]
        pages = [page for page in pages if is_header(page)] or pages
        folders = {folder for folder, _ in ways}
        if len(pages) == 1 and len(folders) == 1:
            step = re.search(r'/steps/(\d\d)-', folders.pop())
            unique[name] = pages[0], int(step.group(1)) if step else 0
    return unique


def is_header(place):
    return re.match(r'\w+_8(cu)?h\.html|struct', place)


def with_headers(content, up, chapter):
    """A chapter in which the first use of each name links to the headers' pages: in the text names with _ or (), since
    another word may be a variant, and in code the names of functions that a header declares, and of structs."""
    global names
    names = header_names() if names is None else names
    linked = set()

    def linked_to(name, code, wanted):
        page, step = names.get(name, ('', 0))
        if not page or step > chapter or name in linked or not wanted:  # a step uses only earlier ones
            return code
        linked.add(name)
        return '<a class="header" href="%sapi/%s">%s</a>' % (up, page, code)

    def word(match):
        name = match.group(1)
        return linked_to(re.sub(r'\(\)$', '', name), match.group(), re.search(r'[_ (]', name))

    def call(match):
        return linked_to(match.group(1), match.group(), is_header(names.get(match.group(1), ('',))[0]))

    def kind(match):
        return linked_to('struct ' + match.group(1), match.group(), True)

    parts = re.split(r'(<a .*?</a>|<pre.*?</pre>|<h\d.*?</h\d>)', content, flags=re.S)
    for i, part in enumerate(parts):
        if part.startswith('<pre'):
            part = re.sub(r'(?<=>struct</span><span class="w"> </span>)<span class="nc?">(\w+)</span>', kind, part)
            parts[i] = re.sub(r'<span class="nf?">(\w+)</span>(?=<span class="p">\()', call, part)
        elif i % 2 == 0:
            parts[i] = re.sub(r'<code>((?:struct )?\w+(?:\(\))?)</code>', word, part)
    return ''.join(parts)


names = None


def block_formula(tex, plain, lines=()):
    """`lines`: the same as equations of their own, for narrow windows."""
    narrow = ' data-lines="%s"' % html.escape(json.dumps(lines, ensure_ascii=False)) if lines else ''
    return '<div class="tex" data-tex="%s"%s><pre>%s</pre></div>' % (
        html.escape(re.sub(r'\s+', ' ', tex.strip())), narrow, html.escape(plain.rstrip()).replace('\n', '&#10;'))


def region_lines(path, region):
    """The first and the last line of a marked region, or None after a warning, which ends a strict build."""
    marks = []
    if os.path.isfile(os.path.join(ROOT, path)):
        marks = [number for number, line in enumerate(read(path).split('\n'), 1) if line.strip() == '/// [%s]' % region]
    if len(marks) == 2:
        return marks[0] + 1, marks[1] - 1
    LOG.warning('%s has no region [%s], which a chapter shows: tools/scripts/chapters says where', path, region)
    return None


def source_lines(path):
    """A source with line numbers; line 17 is #L17."""
    text = read(path)
    try:
        lexer = get_lexer_for_filename('x.cu' if path.endswith(('.cuh', '.cu')) else path, stripnl=False)
    except ClassNotFound:
        lexer = TextLexer(stripnl=False)
    formatter = HtmlFormatter(linenos='inline', lineanchors='L', anchorlinenos=True, cssclass='highlight numbered')
    lines = highlight(text, lexer, formatter)
    return '<p class="place">%s</p>\n%s' % (html.escape(path), re.sub(r'(id|name|href)="(#?)L-(\d+)"', r'\1="\2L\3"', lines))


# ---- search ----

GLOSSARY = 'docs/glossary.md'
ENTRY = re.compile(r'^\*\*([^*]+)\.\*\*((?:.(?!^\*\*))*?)\((\d\d(?:, \d\d)*)\)$', re.M | re.S)  # **Term, term.** What it is. (06)
# Words that students type and the chapters lack: the chapter or page that is meant.
ALSO = {'01': ['matmul'], '08': ['tiling', 'tiled', 'deadlock'], '10': ['vectorize', 'vectorise', 'vectorization', 'vectorized'],
        'simgpu/docs/corpus.html': ['histogram']}


def anchor(terms):
    return 'term-' + re.sub(r'\W+', '-', terms.lower())


def chapter_page(number):
    """The page of the chapter with this number, or None."""
    return next((chapter + '/README.md' for chapter in book.chapters if os.path.basename(chapter).startswith(number + '-')), None)


def search_words():
    """{page's address: words} for which the search lists a chapter first: the glossary's terms that it introduces, and
    the words of its title and folder that no earlier chapter has in its own."""
    words, taken = {}, set()
    for chapter in book.chapters:
        own = set(re.findall(r'[a-z]{3,}', (os.path.basename(chapter) + ' ' + title(chapter + '/README.md')).lower())) - taken
        taken |= own
        words[chapter + '/index.html'] = own
    for terms, _, number in ENTRY.findall(read(GLOSSARY)) if GLOSSARY in book.markdown else ():
        page = chapter_page(number)  # None if several chapters introduce it
        if page:
            own = re.findall(r'\w+', terms.lower())
            words[page.replace('README.md', 'index.html')].update(own, [re.sub('ed$', 'ing', word) for word in own])
    for place, also in ALSO.items():
        page = chapter_page(place)
        words.setdefault(page.replace('README.md', 'index.html') if page else place, set()).update(also)
    return words


def with_chapters(text):
    """The glossary, each entry with a link to its chapter."""
    def link(match):
        pages = [(number, chapter_page(number)) for number in match.group(3).split(', ')]
        return '<span id="%s"></span>**%s.**%s(%s)' % (anchor(match.group(1)), match.group(1), match.group(2), ', '.join('[chapter %s](../%s)' % (number, page) if page else number for number, page in pages))
    return ENTRY.sub(link, text)
