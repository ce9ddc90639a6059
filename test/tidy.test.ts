// The house rules, executed: which folder may import which, no cycles, no dead files, small rooms, and
// nothing in the tree that does not belong into a repository.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';
import { contractCopies, literalPaths } from './tidy/contract-copies.js';
import { longFunctions } from './tidy/function-length.js';
import { readsBeforeGate, ungated } from './tidy/gates.js';
import { misspelled, privateNames } from './tidy/plain-names.js';
import { SourceFiles } from './tidy/source-files.js';
import { unusedExports } from './tidy/unused-exports.js';
import { unusedMembers } from './tidy/unused-members.js';
import { leftOut, stepsBack } from './tidy/walk.js';

const ROOT = dirname(import.meta.dirname);

/** Who may import whom inside src; docs/ARCHITECTURE.md explains the arrows. */
const mayImport: Record<string, readonly string[]> = {
  errors: ['words'],
  platform: [],
  voice: ['words'],
  manifest: ['errors', 'words'],
  words: ['gen'],
  audit: ['errors', 'words', 'platform'],
  tenants: ['errors', 'words', 'platform', 'audit'],
  events: ['errors', 'words', 'platform', 'audit'],
  biometrics: ['manifest', 'voice', 'errors', 'words', 'platform', 'audit'],
  auth: ['errors', 'words', 'platform', 'audit'],
  'engagement-api': ['auth', 'errors', 'words', 'platform', 'audit'],
  idempotency: ['errors', 'words', 'platform'],
  nodes: ['errors', 'words', 'platform'],
  inference: ['voice', 'errors', 'words', 'platform'],
  live: ['biometrics', 'voice', 'errors', 'words', 'platform'],
  storage: [
    'audit',
    'tenants',
    'events',
    'idempotency',
    'biometrics',
    'auth',
    'engagement-api',
    'nodes',
    'manifest',
    'voice',
    'errors',
    'words',
    'platform',
  ],
  transport: [
    'audit',
    'tenants',
    'events',
    'idempotency',
    'biometrics',
    'auth',
    'engagement-api',
    'live',
    'voice',
    'gen',
    'errors',
    'words',
    'platform',
  ],
  gen: [],
  // Clients, the browser app among them, know nothing of the server but its contract.
  client: ['gen'],
  console: ['gen', 'client', 'manifest', 'words'],
  config: ['errors', 'words', 'platform'],
};
/** The composition root and the command line see everything. */
const unrestricted = new Set(['app', 'compose', 'main', 'cli']);

const LINES_MAX = 600;
const ENTRIES_MAX = 5;

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(ROOT, file)));

const sources = tracked.filter((file) => /^src\/.*\.tsx?$/.test(file) && !file.startsWith('src/gen/'));

const files = new SourceFiles(ROOT);
afterAll(() => files.forget());
const read = (file: string) => files.get(file);
const textOf = (file: string) => read(file).text;

function importsOf(file: string): string[] {
  return ts
    .preProcessFile(textOf(file), true, true)
    .importedFiles.map((entry) => entry.fileName)
    .filter((name) => name.startsWith('.') && !name.endsWith('.css'))
    .map((name) => sourceOf(relative(ROOT, join(ROOT, dirname(file), name)).replace(/\?.*$/, '')));
}

/** `a.js` is written as `a.ts`, or as `a.tsx`. */
function sourceOf(path: string): string {
  const plain = path.replace(/\.js$/, '.ts');
  return existsSync(join(ROOT, `${plain}x`)) ? `${plain}x` : plain;
}

/** Nothing in src imports these: a page, a bundler, a shell or another program begins with them. */
const entries = new Set([
  'src/main.ts',
  'src/client/index.ts',
  'src/client/browser/index.ts',
  'src/console/main.tsx',
  'src/console/vite.config.ts',
]);

const roomOf = (file: string) => (file.split('/')[1] ?? '').replace(/\.ts$/, '');

const graph = new Map(sources.map((file) => [file, importsOf(file)]));

describe('the tree', () => {
  it('imports only along the arrows of the architecture', () => {
    const wrong: string[] = [];
    for (const [file, imports] of graph) {
      const from = roomOf(file);
      if (unrestricted.has(from)) continue;
      const allowed = mayImport[from];
      for (const target of imports) {
        const to = roomOf(target);
        if (to !== from && !allowed?.includes(to)) wrong.push(`${file} -> ${target}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('runs in production what is in src: nothing there imports a tool, a bench or a test', () => {
    const outside = [...graph].flatMap(([file, imports]) =>
      imports.filter((target) => !target.startsWith('src/')).map((target) => `${file} -> ${target}`),
    );
    // The console asks for the version of the package.
    expect(outside.filter((arrow) => !arrow.endsWith('.json'))).toEqual([]);
    const tools = tracked.filter((file) => /^tools\/.*\.ts$/.test(file));
    expect(tools.length).toBeGreaterThan(10);
    expect(tools.filter((file) => importsOf(file).some((target) => !/^(src|tools)\//.test(target)))).toEqual(
      [],
    );
  });

  it('documents the arrows as they are', () => {
    const page = textOf('docs/ARCHITECTURE.md').split('## Who may import whom')[1] ?? '';
    const rows = [...page.matchAll(/^\| ([a-z, -]+) \| ([a-z, -]+) \|$/gm)].flatMap(
      ([, rooms = '', targets = '']) =>
        rooms.split(', ').map((room): [string, string[]] => [room, targets.split(', ').sort()]),
    );
    const documented = new Map(rows.filter(([room]) => room in mayImport));
    const expected = Object.entries(mayImport).filter(([, targets]) => targets.length > 0);
    for (const [room, targets] of expected)
      expect([room, documented.get(room)]).toEqual([room, [...targets].sort()]);
  });

  it('walks one Verify down, file by file, as documented', () => {
    const page = textOf('docs/ARCHITECTURE.md').split('### One Verify, file by file')[1] ?? '';
    const walk = [...page.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = '']) => file);
    expect(walk.length).toBeGreaterThan(10);
    expect(new Set(walk).size).toBe(walk.length);
    expect(stepsBack(walk.map(read))).toEqual([]);
    expect(leftOut(walk.map(read))).toEqual([]);
  });

  it('has commands for people that load nothing of the server, so that they start at once', () => {
    const loaded = new Set<string>();
    const visit = (file: string): void => {
      if (loaded.has(file)) return;
      loaded.add(file);
      graph.get(file)?.forEach(visit);
    };
    visit('src/cli/remote/remote.ts');
    const light = ['cli', 'client', 'config', 'errors', 'gen', 'manifest', 'platform', 'words'];
    expect(loaded.size).toBeGreaterThan(10);
    expect([...loaded].filter((file) => !light.includes(roomOf(file)))).toEqual([]);
  });

  it('imports only files that exist', () => {
    const missing = [...graph].flatMap(([file, imports]) =>
      imports.filter((target) => !existsSync(join(ROOT, target))).map((target) => `${file} -> ${target}`),
    );
    expect(missing).toEqual([]);
  });

  it('imports only packages that are installed with it', () => {
    const { dependencies } = JSON.parse(textOf('package.json')) as { dependencies: Record<string, string> };
    const missing = sources
      .filter((file) => roomOf(file) !== 'console')
      .flatMap((file) =>
        ts
          .preProcessFile(textOf(file), true, true)
          .importedFiles.map(({ fileName }) => /^(@[^/]+\/[^/]+|[^@./][^/]*)/.exec(fileName)?.[1] ?? '')
          .filter((name) => name !== '' && !name.startsWith('node:') && !(name in dependencies))
          .map((name) => `${file} -> ${name}`),
      );
    expect(missing).toEqual([]);
  });

  it('has no circles of files, types included', () => {
    expect(findCycle(graph)).toEqual([]);
  });

  it('has floors inside its rooms: no circle of sub-folders however deep, types included', () => {
    const foldersOf = (file: string) => file.split('/').slice(0, -1);
    const parents = new Set(sources.map((file) => foldersOf(file).slice(0, -1).join('/')));
    const folder = (file: string) => foldersOf(file).join('/');
    expect(findCycle(placeGraph((file) => file.split('/').slice(1, 3).join('/')))).toEqual([]);
    // The deepest folder; where further ones lie beside a file, it is a place of its own.
    expect(findCycle(placeGraph((file) => (parents.has(folder(file)) ? file : folder(file))))).toEqual([]);
  });

  it('speaks SQL only in storage', () => {
    // A connection may be handed to storage; whoever calls a member of one speaks SQL.
    const sql =
      /\b(selectFrom|insertInto|updateTable|deleteFrom|executeQuery)\(|\.db\s*\.|\bschema\s*\.\s*(create|drop|alter)|(from|import\()\s*'(kysely|pg|libsql)\b/;
    const outside = sources.filter((file) => roomOf(file) !== 'storage' && sql.test(textOf(file)));
    expect(outside).toEqual([]);
  });

  it('answers nobody unasked: every handler leads to a gate that asks what the caller may do', () => {
    // Whoever has a token may know the version, and have names taken apart and put together.
    const forEverybody = [
      'src/transport/services/management/system.ts getSystemInfo',
      'src/transport/services/management/urns.ts buildUrn',
      'src/transport/services/management/urns.ts parseUrn',
    ];
    const generated = tracked.filter((file) => /^src\/gen\/.*_pb\.ts$/.test(file)).map(read);
    expect(ungated(sources.map(read), generated)).toEqual(forEverybody);
    expect(readsBeforeGate(sources.map(read))).toEqual([]);
  });

  it('makes voices part of a print in one place, which asks for consent', () => {
    const adding = sources.filter((file) => /\benrollment\.insert\(/.test(textOf(file)));
    expect(adding).toEqual(['src/biometrics/operations/enroll.ts']);
    expect(textOf(adding[0] ?? '')).toMatch(/refuseOptedOut\(owner\)[^]*enrollment\.insert\(/);
  });

  it('has no dead files', () => {
    expect(entries.size).toBeLessThanOrEqual(ENTRIES_MAX);
    const benches = tracked.filter((file) => /^(bench|tools)\/.*\.ts$/.test(file));
    const used = new Set([...graph.values(), ...benches.map(importsOf)].flat());
    // Workers are started, and scripts of pages bundled, by the path from the file that names them.
    const paths = /['"`](?:\$\{HERE\}|(?=\.\.?\/))([\w./-]+\.ts)['"`]/g;
    const named = sources.flatMap((file) =>
      [...textOf(file).matchAll(paths)].map(([, path = '']) => join(dirname(file), path)),
    );
    const needed = new Set([...used, ...entries, ...named]);
    expect(sources.filter((file) => !needed.has(file))).toEqual([]);
  });

  it('keeps its rooms small', () => {
    const large = sources.filter((file) => textOf(file).split('\n').length > LINES_MAX);
    expect(large).toEqual([]);
  });

  it('has functions that fit a screen', () => {
    const benches = tracked.filter((file) => /^(bench|tools)\/.*\.ts$/.test(file));
    expect([...sources, ...benches].map(read).flatMap(longFunctions)).toEqual([]);
  });

  it('exports nothing that only a test uses, and nothing that nobody imports', () => {
    const product = tracked.filter((file) => /^(bench|tools|scripts|examples)\/.*\.(ts|mjs)$/.test(file));
    const tests = tracked.filter((file) => /^test\/.*\.ts$/.test(file));
    expect(unusedExports([...sources, ...product].map(read), tests.map(read))).toEqual([]);
    expect(unusedMembers([...sources, ...product].map(read))).toEqual([]);
  });

  it('has plain names', () => {
    const others = tracked.filter((file) => /^(bench|tools|scripts|examples)\/.*\.(ts|mjs)$/.test(file));
    expect([...sources, ...others].map(read).flatMap(privateNames)).toEqual([]);
  });

  it('spells every word in one way', () => {
    const written = tracked.filter(
      (file) =>
        /\.(ts|tsx|mjs|md|proto|py|html|css|ya?ml|json)$/.test(file) &&
        !/^(models\/|training\/|test\/tidy|package-lock)/.test(file),
    );
    expect(written.flatMap((file) => misspelled(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([
      // As databases hold it.
      'src/biometrics/model/jobs.ts cancelled',
    ]);
  });

  it('has one address for each thing: nothing is exported a second time but by the entries of packages', () => {
    const again = sources.filter(
      (file) => !entries.has(file) && read(file).tree.statements.some(ts.isExportDeclaration),
    );
    expect(again).toEqual([]);
  });

  it('waits, reads what was thrown and knows the objects of JSON in one way', () => {
    const again =
      /new Promise\(\((\w+)\) => setTimeout\(\1,|(\w+) instanceof Error \? \2\.message : String\(|=== 'object' && (\w+) !== null && !Array\.isArray\(\3\)/;
    const server = sources.filter((file) => !/^src\/(console|client|voice|errors)\b/.test(file));
    expect(server.filter((file) => again.test(textOf(file)))).toEqual([]);
  });

  it('has a console that takes paths and types from the contract', () => {
    // The page's own server passes on all that begins with `/v1`; it is no part of the page.
    const console = sources
      .filter((file) => file.startsWith('src/console/') && file !== 'src/console/vite.config.ts')
      .map(read);
    const generated = tracked.filter((file) => /^src\/gen\/.*_pb\.ts$/.test(file)).map(read);
    expect(console.flatMap(literalPaths)).toEqual([]);
    expect(contractCopies(console, generated)).toEqual([]);
  });

  it('opens every source file with what it owns', () => {
    const bare = sources.filter((file) => {
      const text = textOf(file).replace(/^#!.*\n/, '');
      return !/^\s*(\/\/|\/\*)/.test(text);
    });
    expect(bare).toEqual([]);
  });

  it('has no unfinished places and no tests switched off', () => {
    const unfinished = tracked
      .filter(
        (file) =>
          /^(src|test|bench|tools|examples|scripts)\/.*\.(ts|tsx|mjs)$/.test(file) &&
          file !== 'test/tidy.test.ts' &&
          !file.startsWith('src/gen/'),
      )
      .filter((file) =>
        /\b(TODO|FIXME|unimplemented)\b|not implemented|\b(it|test|describe)\.(only|skip)\(/.test(
          textOf(file),
        ),
      );
    expect(unfinished).toEqual([]);
  });

  it('generates no keys as objects, whose export can hang Node 20 (docs/adr/0007-no-export-of-generated-keys.md)', () => {
    const risky = tracked
      .filter(
        (file) => /^(src|test|bench|tools|examples)\/.*\.tsx?$/.test(file) && file !== 'test/tidy.test.ts',
      )
      .filter((file) => {
        const text = textOf(file);
        return text.includes('generateKeyPairSync(') && !text.includes('privateKeyEncoding');
      });
    expect(risky).toEqual([]);
  });

  it('holds no secrets, databases or recordings of people', () => {
    const strange = tracked.filter(
      (file) => /\.(db|sqlite|key|pem|pack|env)$/.test(file) && !file.startsWith('test/fixtures/tls/'),
    );
    expect(strange).toEqual([]);
  });
});

/** Places of files -> those of the same room that they import from. */
function placeGraph(placeOf: (file: string) => string): Map<string, string[]> {
  const edges = new Map<string, Set<string>>();
  for (const [file, imports] of graph) {
    const from = placeOf(file);
    const targets = edges.get(from) ?? new Set<string>();
    edges.set(from, targets);
    for (const target of imports) {
      const to = placeOf(target);
      if (to !== from && roomOf(file) === roomOf(target)) targets.add(to);
    }
  }
  return new Map([...edges].map(([from, targets]) => [from, [...targets]]));
}

/** The first cycle found by depth-first search, as the list of its files; empty when there is none. */
function findCycle(edges: Map<string, string[]>): string[] {
  const state = new Map<string, 'open' | 'done'>();
  const path: string[] = [];
  const visit = (file: string): string[] => {
    if (state.get(file) === 'done') return [];
    if (state.get(file) === 'open') return [...path.slice(path.indexOf(file)), file];
    state.set(file, 'open');
    path.push(file);
    for (const next of edges.get(file) ?? []) {
      const cycle = visit(next);
      if (cycle.length > 0) return cycle;
    }
    path.pop();
    state.set(file, 'done');
    return [];
  };
  for (const file of edges.keys()) {
    const cycle = visit(file);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
