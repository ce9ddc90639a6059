// What is made from the sources for people to read: the pages of docs/reference about settings and config-set parameters,
// the reference of the client library, the operations of the Python client, what the console
// knows of permissions, and the third-party notices. `npm run generate` writes them, and a test proves that they are current.
import { parameterTable, type ParameterRule } from '../src/biometrics/model/parameters.js';
import { describeSettings } from '../src/config.js';
import { assessmentPage } from './assessment-page.js';
import { clientReadme } from './client-reference.js';
import { notices } from './notices.js';
import { operationNeeds } from './operation-needs.js';
import { pythonOperations } from './python-operations.js';
import { rolesPage } from './roles-page.js';

const note = '<!-- Made by scripts/generate-texts.ts; do not edit. -->';

/** Path below the root to content. */
export function generatedTexts(): Record<string, string> {
  return {
    'docs/reference/assessment.md': assessmentPage(),
    'docs/reference/settings.md': settingsPage(),
    'docs/reference/configset-parameters.md': parametersPage(),
    'docs/reference/roles.md': rolesPage(),
    'src/console/api/operation-permissions.ts': operationNeeds(),
    'packages/client/README.md': clientReadme(),
    'packages/python/voxgate/operations.py': pythonOperations(),
    'THIRD-PARTY-NOTICES': notices(),
  };
}

function settingsPage(): string {
  const sections = new Map<string, ReturnType<typeof describeSettings>>();
  for (const row of describeSettings()) {
    const section = row.name.includes('.') ? row.name.slice(0, row.name.indexOf('.')) : 'general';
    sections.set(section, [...(sections.get(section) ?? []), row]);
  }
  const tables = [...sections].map(([section, rows]) =>
    [
      `## ${section}`,
      '',
      '| Setting | Type | Default | What it does |',
      '|---|---|---|---|',
      ...rows.map(
        ({ name, type, fallback, env, doc }) =>
          `| \`${name}\`<br>\`${env}\` | ${cell(type)} | ${fallback === '' ? '' : `\`${fallback}\``} | ${cell(doc)} |`,
      ),
    ].join('\n'),
  );
  return [
    '# Settings',
    '',
    note,
    '',
    'A setting is taken from the first of these places that has it: a command-line flag, its environment variable, the file',
    '`config.json` in the home directory (or the file that `--config` or `VOXGATE_CONFIG` names), its default. In the file,',
    'dots become nesting: `{"http": {"address": "0.0.0.0:8080"}}`. Settings are read once, at startup. All errors are reported',
    'together, each with the name of its setting; an unknown setting is an error too. An empty default means "not set".',
    '',
    tables.join('\n\n'),
    '',
  ].join('\n');
}

function parametersPage(): string {
  const tables = Object.entries(parameterTable as Record<string, Record<string, ParameterRule>>).map(
    ([section, rules]) =>
      [
        `## ${section}`,
        '',
        '| Parameter | Default | Range | Meaning |',
        '|---|---|---|---|',
        ...Object.entries(rules).map(
          ([name, rule]) =>
            `| \`${section}.${name}\` | ${defaultOf(rule)} | ${rangeOf(rule)} | ${cell(rule.about)} |`,
        ),
      ].join('\n'),
  );
  return [
    '# Config-set parameters',
    '',
    note,
    '',
    'What a config set can contain; whatever it leaves out has its default. The JSON schema is served at',
    '`/schema/configset-1.json`. See also how [config sets](voiceprint-management.md#config-sets) work.',
    '',
    tables.join('\n\n'),
    '',
  ].join('\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

function defaultOf(rule: ParameterRule): string {
  return rule.kind === 'numbers' ? rule.default.join(', ') || 'none' : plain(rule.default);
}

const plain = (value: number | boolean): string =>
  typeof value === 'number' && Math.abs(value) < 1e-3 && value !== 0
    ? value.toFixed(7).replace(/0+$/, '')
    : String(value);

function rangeOf(rule: ParameterRule): string {
  return rule.kind === 'boolean' ? 'true, false' : `${plain(rule.min)} to ${plain(rule.max)}`;
}
