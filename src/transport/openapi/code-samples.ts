// The first request of an operation in the languages that there are clients for. Variables have the names that they have in the
// shell.
import { CREDENTIALS, preparationSample } from './sample.js';

/** A sample and the language it is written in. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

export function typescriptSample(method: string, request: object): string {
  const members = JSON.stringify(request, null, 2)
    .replace(/"\$([A-Z_]+)"/g, '$1')
    .replace(/^( *)"([A-Za-z]\w*)":/gm, '$1$2:');
  return `const answer = await voxgate.call('${method}', ${members});\nconsole.log(answer);`;
}

export function pythonSample(method: string, request: object): string {
  const name = method.replace(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
  return `answer = voxgate.operations.${name}(${pythonOf(request, '')})\nprint(answer)`;
}

function pythonOf(value: unknown, indent: string): string {
  const inner = `${indent}    `;
  if (Array.isArray(value))
    return `[\n${value.map((each) => `${inner}${pythonOf(each, inner)},\n`).join('')}${indent}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value);
    if (members.length === 0) return '{}';
    const lines = members.map(
      ([name, each]) => `${inner}${JSON.stringify(name)}: ${pythonOf(each, inner)},\n`,
    );
    return `{\n${lines.join('')}${indent}}`;
  }
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'string') return String(value);
  return value.startsWith('$') ? value.slice(1) : JSON.stringify(value);
}

/** What a program of each language needs before its samples run. */
export function preparations(serverUrl: string): CodeSample[] {
  const server = serverUrl === '/' ? 'http://127.0.0.1:8080' : serverUrl;
  return [
    { lang: 'Shell', label: 'curl', source: `${CREDENTIALS}\n${preparationSample(serverUrl)}` },
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: [
        "import { Voxgate } from '@voxgate/client';",
        '',
        "const GK_SCOPE_ID = process.env.GK_SCOPE_ID ?? '';",
        'const voxgate = new Voxgate({',
        `  server: '${server}',`,
        '  tenant: GK_SCOPE_ID,',
        '  clientId: process.env.VOXGATE_CLIENT_ID,',
        '  clientSecret: process.env.VOXGATE_CLIENT_SECRET,',
        '});',
      ].join('\n'),
    },
    {
      lang: 'Python',
      label: 'Python',
      source: [
        'import os',
        'from voxgate import Voxgate',
        '',
        'GK_SCOPE_ID = os.environ["GK_SCOPE_ID"]',
        'voxgate = Voxgate(',
        `    server="${server}",`,
        '    tenant=GK_SCOPE_ID,',
        '    client_id=os.environ["VOXGATE_CLIENT_ID"],',
        '    client_secret=os.environ["VOXGATE_CLIENT_SECRET"],',
        ')',
      ].join('\n'),
    },
  ];
}
