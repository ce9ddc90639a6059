// The documentation holds together: generated pages are what the sources make, links and citations lead somewhere, and
// what is shipped is named with its license.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generatedTexts } from '../scripts/generated-texts.js';
import { bundledIntoConsole, isCopyleft, shippedPackages } from '../scripts/notices.js';
import { diagnosticCodes } from '../src/errors.js';

const ROOT = dirname(import.meta.dirname);
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(ROOT, file)));

/** Headings as the anchors that they become, code and punctuation left out. */
function anchorsOf(file: string): Set<string> {
  return new Set(
    [...read(file).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}

/** What is wrong with a path and anchor, as seen from the ROOT; empty when both exist. */
function deadEnd(target: string): string {
  const [path = '', anchor] = target.split('#');
  if (!existsSync(join(ROOT, path))) return 'no such file';
  return anchor !== undefined && !anchorsOf(path).has(anchor) ? 'no such heading' : '';
}

describe('generated texts', () => {
  it.each(Object.entries(generatedTexts()))(
    '%s is current: `npm run generate` changes nothing',
    (path, page) => {
      expect(read(path) === page).toBe(true);
    },
  );

  it('hold what the program uses', () => {
    const pages = generatedTexts();
    expect(pages['THIRD-PARTY-NOTICES']).toMatch(/^fastify \d.*\(MIT\)$/m);
    expect(pages['docs/reference/settings.md']).toContain(
      '| `http.address`<br>`VOXGATE_HTTP_ADDRESS` | HOST:PORT | `127.0.0.1:8080` |',
    );
    expect(pages['docs/reference/configset-parameters.md']).toContain(
      '| `authentication.falseAcceptRate` | 0.005 | 0.00001 to 0.5 |',
    );
  });
});

describe('links', () => {
  it('of every page lead to a file, and to a heading where they name one', () => {
    const pages = tracked.filter((file) => file.endsWith('.md'));
    const dead = pages.flatMap((page) =>
      [
        ...read(page)
          .replace(/```[\s\S]*?```|`[^`\n]*`/g, '')
          .matchAll(/\]\(([^)\s]+)\)/g),
      ]
        .map(([, target = '']) => target)
        .filter((target) => !/^[a-z]+:/.test(target))
        .map((target) => {
          const path = target.startsWith('#') ? `${page}${target}` : normalize(join(dirname(page), target));
          return { target, fault: deadEnd(path) };
        })
        .filter(({ fault }) => fault !== '')
        .map(({ target, fault }) => `${page}: ${target}: ${fault}`),
    );
    expect(dead).toEqual([]);
  });

  it('of comments to the reference lead to a page and heading', () => {
    const sources = tracked.filter((file) => /\.(ts|tsx|mjs|proto|sh)$/.test(file));
    const dead = sources.flatMap((file) =>
      [...read(file).matchAll(/docs\/(?:reference|guides|adr)\/[\w-]+\.md(?:#[\w-]+)?/g)]
        .map(([target]) => ({ target, fault: deadEnd(target) }))
        .filter(({ fault }) => fault !== '')
        .map(({ target, fault }) => `${file}: ${target}: ${fault}`),
    );
    expect(dead).toEqual([]);
  });
});

describe('names in passing', () => {
  const pages = tracked.filter((file) => /^(README|SECURITY|docs\/.*)\.md$/.test(file));

  it('are settings that exist', () => {
    const known = [...read('docs/reference/settings.md').matchAll(/^\| `([\w.]+)`/gm)].map(
      ([, name = '']) => name,
    );
    const sections = new Set(
      known.filter((name) => name.includes('.')).map((name) => name.split('.')[0] ?? ''),
    );
    const parameters = read('docs/reference/configset-parameters.md');
    const unknown = pages.flatMap((page) =>
      [...read(page).matchAll(/`(([a-zA-Z]+)\.[a-zA-Z.]+)`/g)]
        .filter(
          ([, name = '', section = '']) => sections.has(section) && !/\.(csv|key|db|json|md|ts)$/.test(name),
        )
        .filter(([, name = '']) => !known.includes(name) && !parameters.includes(`\`${name}\``))
        .map(([, name]) => `${page}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('are source files that exist', () => {
    const missing = pages.flatMap((page) =>
      [
        ...read(page).matchAll(
          /`((?:src|test|bench|scripts|examples|training)\/[\w./-]+\.(?:ts|tsx|mjs|py|sh))`/g,
        ),
      ]
        .map(([, path = '']) => path)
        .filter((path) => !existsSync(join(ROOT, path)))
        .map((path) => `${page}: ${path}`),
    );
    expect(missing).toEqual([]);
  });
});

describe('the decisions', () => {
  it('have a number of their own, in the name of the file and in the title', () => {
    const pages = tracked.filter((file) => /^docs\/adr\/\d{4}-/.test(file));
    const numbers = pages.map((file) => Number(file.slice('docs/adr/'.length).slice(0, 4)));
    expect(pages.length).toBeGreaterThan(50);
    expect(pages.filter((_, at) => numbers.indexOf(numbers[at] ?? 0) < at)).toEqual([]);
    const titled = (file: string) => Number(/^# (\d+)\.? /.exec(read(file))?.[1]);
    expect(pages.filter((file, at) => titled(file) !== numbers[at])).toEqual([]);
  });
});

describe('the changelog', () => {
  it('says nothing twice, and has each heading once where it stands', () => {
    const open: string[] = [];
    const headings: string[] = [];
    for (const [, marks = '', title = ''] of read('CHANGELOG.md').matchAll(/^(#+) (.+)$/gm)) {
      open.splice(marks.length - 1, Infinity, title);
      headings.push(open.join(' > '));
    }
    const entries = [...read('CHANGELOG.md').matchAll(/^- .+(?:\n {2}.+)*/gm)].map(([entry]) =>
      entry.replaceAll(/\s+/g, ' '),
    );
    expect(entries.length).toBeGreaterThan(50);
    for (const lines of [headings, entries])
      expect(lines.filter((line, at) => lines.indexOf(line) < at)).toEqual([]);
  });
});

describe('the page of errors', () => {
  it('explains every diagnostic code', () => {
    const page = read('docs/reference/errors-and-reasons.md');
    expect(diagnosticCodes.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
    expect(new Set(diagnosticCodes).size).toBe(diagnosticCodes.length);
  });
});

describe('comments', () => {
  it('name a page instead of a numbered section of some other document', () => {
    const bare = tracked
      .filter((file) =>
        /^(src|test|bench|examples|scripts|proto|docs)\/.*\.(ts|tsx|mjs|proto|sh|md)$/.test(file),
      )
      .filter((file) => file !== 'test/docs.test.ts')
      .filter((file) => /\b(facts|spec)(,? section)? \d/i.test(read(file)));
    expect(bare).toEqual([]);
  });
});

describe('the page of dependencies', () => {
  it('has a line for every direct one, and for no other', () => {
    const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
    const direct = Object.keys({ ...manifest['dependencies'], ...manifest['devDependencies'] });
    const rows = [...read('docs/reference/dependencies.md').matchAll(/^\| (`[^|]+) \|/gm)];
    const named = rows.flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    expect(named.sort()).toEqual(direct.sort());
  });
});

describe('third-party notices', () => {
  it('name every package that the console bundles', () => {
    const imported = tracked
      .filter((file) => /^src\/console\/.*\.tsx?$/.test(file) && !file.endsWith('vite.config.ts'))
      .flatMap((file) => [...read(file).matchAll(/from '([^.'][^']*)'/g)].map(([, name = '']) => name))
      .map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      );
    const shipped = new Set(shippedPackages().map(({ name }) => name));
    // Preact is bundled in its place.
    expect(
      [...new Set(imported)].filter((name) => !shipped.has(name.replace(/^react(-dom)?$/, 'preact'))),
    ).toEqual([]);
    expect(bundledIntoConsole.filter((name) => !shipped.has(name))).toEqual([]);
  });

  it('hold the license of weights that others trained', () => {
    const of = tracked.filter((file) => /^models\/[^/]+\/LICENSE-/.test(file));
    expect(of).not.toEqual([]);
    for (const file of of) expect(read('THIRD-PARTY-NOTICES')).toContain(read(file).trim());
  });

  it('know no copyleft license', () => {
    const copyleft = shippedPackages().filter(({ license }) => license === '' || isCopyleft(license));
    expect(copyleft.map(({ name }) => name)).toEqual([]);
    expect([isCopyleft('LGPL-3.0-or-later'), isCopyleft('(MIT OR GPL-2.0)'), isCopyleft('MIT')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
