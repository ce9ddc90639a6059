// The words of the console's own sources: tabs, dialogs and buttons of every page, as the catalogues of texts have them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGES = join(import.meta.dirname, '../../src/console/pages');

/** Where a text lies: catalogue, and the way in it. */
export interface Word {
  file: string;
  /** Folder of the page. */
  area: string;
  what: 'tab' | 'dialog' | 'button';
  catalogue: string;
  path: readonly string[];
}

/** What names in a source stand for: `t` of a catalogue, and `const text = t.part`. */
function aliasesIn(source: string): Map<string, readonly [string, ...string[]]> {
  const found = new Map<string, readonly [string, ...string[]]>();
  for (const [, names = '', catalogue = ''] of source.matchAll(
    /import \{ ([^}]+) \} from '[./]+\/text\/([\w-]+)\.js'/g,
  ))
    for (const name of names.split(', ')) {
      const [of, as = of] = name.split(' as ');
      if (of === 't' && as) found.set(as, [catalogue]);
    }
  for (const [, name = '', from = '', way = ''] of source.matchAll(/const (\w+) = (\w+)\.([\w.]+);/g)) {
    const base = found.get(from);
    if (base) found.set(name, [...base, ...way.split('.')]);
  }
  return found;
}

const shapes: Readonly<Record<Word['what'], RegExp>> = {
  tab: /\bid: '[\w-]+',\s*label: (\w+(?:\.\w+)+)/g,
  dialog: /<\w*Dialog\b(?:(?!\/?>\s)[\s\S]){0,400}?\btitle=\{(?:[^{}]*? : )?(\w+(?:\.\w+)+)\}/g,
  button: /<Button\b[^{}>]*(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}[^{}>]*)*>\s*\{(\w+(?:\.\w+)+)\}\s*<\/Button>/g,
};

export function consoleWords(): Word[] {
  const files = readdirSync(PAGES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.tsx'),
  );
  return files.flatMap((file) => {
    const source = readFileSync(join(PAGES, file), 'utf8');
    const aliases = aliasesIn(source);
    const area = file.split('/')[0] ?? '';
    return (['tab', 'dialog', 'button'] as const).flatMap((what) =>
      what === 'tab' && !source.includes('<Tabs')
        ? []
        : [...source.matchAll(shapes[what])].flatMap(([, expression = '']) => {
            const [root = '', ...way] = expression.split('.');
            const base = aliases.get(root);
            if (!base) return [];
            const [catalogue, ...before] = base;
            return { file, area, what, catalogue, path: [...before, ...way] };
          }),
    );
  });
}
