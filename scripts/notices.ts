// THIRD-PARTY-NOTICES: every package that is shipped with Voxgate or runs inside it, with its license in full. Shipped are
// the production dependencies of package-lock.json and what the console's bundle contains. The texts are read from
// node_modules; packages that only some platforms install are listed with their license's name. Weights of others inside a
// model: `models/NAME/LICENSE-WHAT`.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Packages that Vite puts into the console's bundle; development dependencies otherwise. */
export const bundledIntoConsole: readonly string[] = ['preact', 'uplot'];

/** Licenses whose terms reach into what they are combined with. */
const copyleft = /\b(A?GPL|LGPL|MPL|EPL|CDDL|EUPL|OSL|SSPL|BUSL)\b/i;

export interface ShippedPackage {
  name: string;
  version: string;
  license: string;
  folder: string;
  /** Installed on some platforms only. */
  isOptional: boolean;
}

interface LockEntry {
  version: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
}

/** Everything shipped, sorted by name and version. */
export function shippedPackages(): ShippedPackage[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  const found = new Map<string, ShippedPackage>();
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '') continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if ((entry.dev || entry.devOptional) && !bundledIntoConsole.includes(name)) continue;
    const { version, license = '', optional = false } = entry;
    found.set(`${name} ${version}`, {
      name,
      version,
      license,
      folder: join(root, path),
      isOptional: optional,
    });
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

/** A choice that includes a permissive license is taken as that one. */
export function isCopyleft(license: string): boolean {
  const choices = license.replace(/^\(|\)$/g, '').split(/\s+OR\s+/);
  return choices.every((choice) => copyleft.test(choice));
}

export function notices(): string {
  const byText = new Map<string, ShippedPackage[]>();
  for (const each of shippedPackages()) {
    const key = `${licenseText(each) || each.license}`;
    byText.set(key, [...(byText.get(key) ?? []), each]);
  }
  const parts = [...byText].map(([text, packages]) =>
    [
      '-'.repeat(80),
      ...packages.map(({ name, version, license }) => `${name} ${version} (${license})`),
      '',
      text,
    ].join('\n'),
  );
  return [
    'Voxgate is licensed under Apache-2.0 (see LICENSE). It uses the packages and weights below, each under its own license.',
    'Made by scripts/notices.ts; do not edit.',
    '',
    ...parts,
    ...weightsOfOthers(),
    '',
  ].join('\n');
}

/** Parts for the weights that others trained and a shipped model contains. */
function weightsOfOthers(): string[] {
  const models = join(root, 'models');
  return readdirSync(models)
    .sort()
    .flatMap((model) =>
      readdirSync(join(models, model))
        .filter((file) => file.startsWith('LICENSE-'))
        .sort()
        .map((file) =>
          [
            '-'.repeat(80),
            `Weights of ${file.slice('LICENSE-'.length)}, inside models/${model}`,
            '',
            readFileSync(join(models, model, file), 'utf8').trim(),
          ].join('\n'),
        ),
    );
}

/** In copyright lines. The names stay; some addresses are at hosts that this repository does not name. */
const addresses = / ?[<(][^<>()\s]+@[^<>()\s]+[>)]/g;

/** The license files of a package, in one text; empty where it has none. */
function licenseText({ folder, isOptional }: ShippedPackage): string {
  if (isOptional || !existsSync(folder)) return '';
  return readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .sort()
    .map((file) =>
      readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').replace(addresses, '').trim(),
    )
    .join('\n\n');
}
