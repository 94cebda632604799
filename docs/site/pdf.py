# SPDX-License-Identifier: MIT
"""pdf.py SITE: prints a built site's chapters with headless Chromium, each into SITE/pdf/NN-name.pdf, and the book of all of
them into SITE/pdf/strassen-ladder.pdf: a title page, the contents with page numbers, short pages, chapters with their appendices,
glossary and sources. tools/scripts/docs --pdf runs it; SITE/pdf/pages.json, which book.py writes, says what there is.

Links to other pages lead to the site's address where LADDER_SITE_URL names one, and are dropped otherwise.
Exit status: 3 where there is no Chromium or no pypdf, 1 where the book has more than MOST pages."""
import base64
import html
import io
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', '..', 'tests', 'site'))
from browsers import chromium  # noqa: E402

MOST = 400
URL = os.environ.get('LADDER_SITE_URL', '').rstrip('/')
PAPER = {'preferCSSPageSize': True, 'printBackground': True}  # ladder.css has its size and margins
STYLE = '''<meta charset="utf-8"><style>@page { size: A4; margin: 25mm 18mm }
body { font: 10.5pt -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif; margin: 0 }
h1 { font-size: 34pt; margin: 60mm 0 4mm } h2 { font-size: 16pt } p { max-width: 130mm; line-height: 1.5 }
table { width: 100%; border-collapse: collapse } td { padding: 1mm 0; vertical-align: top } td.page { text-align: right; width: 12mm }
td.within { padding-left: 6mm; color: #444 }</style>'''


def printed(browser, address):
    browser.open(address)
    browser.run('''new Promise(done => {
        document.querySelectorAll("img[loading]").forEach(i => { i.loading = "eager"; });
        const wait = () => [...document.images].some(i => !i.complete) ? setTimeout(wait, 20) : done(true);
        wait();
    })''')
    return base64.b64decode(browser.call('Page.printToPDF', 120, **PAPER)['data'])


def printed_text(browser, scratch, text):
    """A page of our own on paper."""
    with open(scratch, 'w', encoding='utf-8') as file:
        file.write(STYLE + text)
    data = printed(browser, 'file://' + scratch)
    os.remove(scratch)
    return data


def contents(chapters, starts):
    rows = ''.join('<tr><td%s>%s</td><td class="page">%d</td></tr>' % (
        ' class="within"' if chapter.get('within') else '', html.escape(chapter['title']), start) for chapter, start in zip(chapters, starts))
    return '<h2>Contents</h2><table>%s</table>' % rows


def title_page(words, day):
    return ('<h1>The Strassen Ladder</h1><p>%s</p><p>%s</p><p>The programs, the exercises and the simulated GPU are in the '
            'repository%s. MIT licence.</p>' % (html.escape(words), html.escape(day), ': ' + html.escape(URL) if URL else ''))


def with_links(pdf, site):
    """Links to files of this computer lead to the site, or nowhere."""
    from pypdf.generic import ArrayObject, NameObject, TextStringObject
    here = 'file://' + site
    for page in pdf.pages:
        kept = ArrayObject()
        for link in page.get('/Annots') or ():
            action = link.get_object().get('/A')
            address = str(action.get('/URI', '')) if action else ''
            if address.startswith('file:'):
                if not URL or not address.startswith(here):
                    continue
                action[NameObject('/URI')] = TextStringObject(URL + address[len(here):])
            kept.append(link)
        page[NameObject('/Annots')] = kept


def with_number(pdf, page, number):
    """A page's number below its text."""
    from pypdf.generic import ArrayObject, DecodedStreamObject, DictionaryObject, NameObject
    streams = ArrayObject()
    for text in ('q', None, 'Q q BT /LadderNumber 9 Tf %.1f 28 Td (%d) Tj ET Q' % (float(page.mediabox.width) / 2 - 6, number)):
        if text is None:
            old = page.get('/Contents')
            streams.extend(old.get_object() if isinstance(old.get_object(), ArrayObject) else [old])
            continue
        stream = DecodedStreamObject()
        stream.set_data((text + '\n').encode())
        streams.append(pdf._add_object(stream))  # a stream is a separate object
    page[NameObject('/Contents')] = streams
    resources = page['/Resources'].get_object()
    fonts = resources.setdefault(NameObject('/Font'), DictionaryObject()).get_object()
    fonts[NameObject('/LadderNumber')] = DictionaryObject({
        NameObject('/Type'): NameObject('/Font'), NameObject('/Subtype'): NameObject('/Type1'),
        NameObject('/BaseFont'): NameObject('/Helvetica')})


def main():
    site = os.path.abspath(sys.argv[1])
    try:
        import pypdf
    except ImportError:
        pypdf = None
    program = chromium.find()
    if not program or not pypdf:
        print('The PDF needs Chromium and pypdf (Debian: apt-get install chromium python3-pypdf).', file=sys.stderr)
        return 3
    folder = os.path.join(site, 'pdf')
    with open(os.path.join(folder, 'pages.json'), encoding='utf-8') as file:
        book = json.load(file)
    scratch = os.path.join(folder, 'scratch.html')
    chapters, parts = book['pages'], []
    with chromium.Browser(program) as browser:
        browser.show(True)
        browser.size(1000)
        for chapter in chapters:
            parts.append(pypdf.PdfReader(io.BytesIO(printed(browser, 'file://%s/%s' % (site, chapter['page'])))))
        front = pypdf.PdfReader(io.BytesIO(printed_text(browser, scratch, title_page(book['description'], book['changed']))))
        lengths = [len(part.pages) for part in parts]

        def starts(before):
            return [before + 1 + sum(lengths[:i]) for i in range(len(lengths))]

        guess = pypdf.PdfReader(io.BytesIO(printed_text(browser, scratch, contents(chapters, starts(10)))))
        before = len(front.pages) + len(guess.pages)
        table = pypdf.PdfReader(io.BytesIO(printed_text(browser, scratch, contents(chapters, starts(before)))))
        count = before + sum(lengths)
    out = pypdf.PdfWriter()
    for part in [front, table] + parts:
        for page in part.pages:
            out.add_page(page)
    for number, page in enumerate(out.pages):
        if number:  # the title page has none
            with_number(out, page, number + 1)
    for chapter, start in zip(chapters, starts(before)):
        out.add_outline_item(chapter['title'], start - 1)
    save(out, site, os.path.join(folder, 'strassen-ladder.pdf'), book['title'])
    at = 0
    while at < len(chapters):  # a chapter with its sections
        end = at + 1
        while end < len(chapters) and chapters[end].get('within'):
            end += 1
        if chapters[at].get('file'):
            alone = pypdf.PdfWriter()
            for part in parts[at:end]:
                for page in part.pages:
                    alone.add_page(page)
            save(alone, site, os.path.join(site, chapters[at]['file']), chapters[at]['title'])
        at = end
    print('The book: %s, %d pages' % (os.path.join(folder, 'strassen-ladder.pdf'), count), file=sys.stderr)
    return 1 if count > MOST else 0


def save(pdf, site, path, title):
    with_links(pdf, site)
    pdf.add_metadata({'/Title': title})
    with open(path, 'wb') as file:
        pdf.write(file)


if __name__ == '__main__':
    sys.exit(main())
