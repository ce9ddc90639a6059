// Help in the console: the guides are read into blocks, and their pages, headings and explained words are found.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { entriesOf, helpAddress, linkTarget } from '../../src/console/help/entries.js';
import { helpFor } from '../../src/console/help/find-help.js';
import { plainOf, readMarkdown, slugOf } from '../../src/console/help/markdown.js';

const DOCS = new URL('../../docs/', import.meta.url).pathname;
const pages = ['guides', 'reference'].flatMap((folder) =>
  readdirSync(`${DOCS}${folder}`)
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => `${folder}/${file.replace(/\.md$/, '')}`),
);
const sourceOf = (page: string): string => readFileSync(`${DOCS}${page}.md`, 'utf8');

describe('a guide', () => {
  it('is read into headings, texts, lists, code and tables', () => {
    const text = [
      '# Title',
      'One line',
      'and another.',
      '',
      '- first',
      '  goes on',
      '- second',
      '',
      '    code',
      '      more',
      '',
      '| Word | Meaning |',
      '|---|---|',
      '| `A_B`, `C` | this \\| that |',
      '',
      '## Other `part`',
      '```',
      '# not a heading',
      '```',
    ].join('\n');
    expect(readMarkdown(text)).toEqual([
      { kind: 'heading', level: 1, text: 'Title', id: 'title' },
      { kind: 'paragraph', text: 'One line and another.' },
      { kind: 'list', isOrdered: false, items: ['first goes on', 'second'] },
      { kind: 'code', text: 'code\n  more' },
      {
        kind: 'table',
        head: ['Word', 'Meaning'],
        rows: [{ cells: ['`A_B`, `C`', 'this | that'], id: 'a_b' }],
      },
      { kind: 'heading', level: 2, text: 'Other part', id: 'other-part' },
      { kind: 'code', text: '# not a heading' },
    ]);
    expect(plainOf('see [**this**](x.md) and `that`')).toBe('see this and that');
    expect(slugOf('What stays, and why?')).toBe('what-stays-and-why');
  });

  it.each(pages)('%s has a title, and its links to other guides lead to places that are there', (page) => {
    const blocks = readMarkdown(sourceOf(page));
    expect(blocks[0]).toMatchObject({ kind: 'heading', level: 1 });
    const places = entriesOf(page, sourceOf(page)).map(({ to }) => to);
    expect(new Set(places).size).toBe(places.length);
    for (const [, link = ''] of sourceOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      const target = linkTarget(page, link);
      if (!target || !('to' in target)) continue;
      const [address = '', at] = target.to.split('?at=');
      const other = address.replace('/help/', '');
      expect([link, pages.includes(other)]).toEqual([link, true]);
      if (at === undefined) continue;
      const ids = readMarkdown(sourceOf(other)).flatMap((block) =>
        block.kind === 'heading' ? block.id : [],
      );
      expect([link, ids.includes(decodeURIComponent(at))]).toEqual([link, true]);
    }
  });

  it('leaves links to what is not served without an address', () => {
    expect(linkTarget('guides/tokens', '../adr/0010-tokens.md')).toBeUndefined();
    expect(linkTarget('guides/tokens', '#scopes')).toEqual({ to: helpAddress('guides/tokens', 'scopes') });
    expect(linkTarget('guides/tokens', 'https://example.com/')).toEqual({ href: 'https://example.com/' });
  });
});

describe('finding help', () => {
  const entries = pages.flatMap((page) => entriesOf(page, sourceOf(page)));

  it('knows every setting, parameter and reason by its name', () => {
    const labels = entries.map(({ label }) => label);
    for (const word of [
      'http.address',
      'voiceSearch.hasLegalBasis',
      'LOW_RELIABILITY',
      'VOICE_SEARCH_NOT_ALLOWED',
    ])
      expect([word, labels.some((label) => label.includes(word))]).toEqual([word, true]);
  });

  it.each([
    ['low reliability', /^LOW_RELIABILITY/, /errors-and-reasons/],
    ['LOW_RELIABILITY', /^LOW_RELIABILITY/, /errors-and-reasons/],
    ['not good enough to decide', /LOW_RELIABILITY/, /errors-and-reasons/],
    ['legal basis', /voiceSearch\.hasLegalBasis/, /configset-parameters/],
    ['http.address', /^http\.address/, /settings/],
    ['following a call', /^Following a call$/, /live-audio/],
    ['webhooks', /webhook/i, /help/],
  ])('%s finds %s', (query, label, to) => {
    const found = helpFor(query, entries);
    expect(found.some((one) => label.test(one.label) && to.test(one.to))).toBe(true);
    expect(found.length).toBeLessThanOrEqual(8);
  });

  it('explains a word where it is found, and finds nothing for nothing', () => {
    const [first] = helpFor('VOICEPRINT_NO_MATCH', entries);
    expect(first?.note).toBe('The voice does not match well enough');
    expect(helpFor('low reliability', entries)[0]?.to).toMatch(/^\/help\/reference\/errors-and-reasons/);
    expect(helpFor('  ', entries)).toEqual([]);
    expect(helpFor('no such thing at all', entries)).toEqual([]);
  });
});
