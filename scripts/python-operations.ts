// The operations of the Python client, one method each, made from what the OpenAPI document is made of.
import { paths } from '../src/gen/calls.js';
import { descriptions } from '../src/gen/descriptions.js';

export function pythonOperations(): string {
  return [
    '"""Every operation of the contract by name. Made by scripts/generate-texts.ts; do not edit."""',
    '',
    '',
    'class Operations:',
    '    """Requests and answers are dictionaries, as the JSON of the contract; see /docs of a server."""',
    '',
    '    def __init__(self, call):',
    '        self._call = call',
    ...Object.entries(paths).flatMap(([method, rule]) => methodOf(method, rule)),
    '',
  ].join('\n');
}

function methodOf(method: string, rule: string): string[] {
  const [verb = '', path = ''] = rule.split(' ');
  const about = descriptionOf(method);
  return [
    '',
    `    def ${snakeCase(method)}(self, request=None, idempotency_key=None):`,
    ...(about === '' ? [] : [`        """${about.replaceAll('\\', '\\\\')}"""`]),
    `        return self._call(${JSON.stringify(verb)}, ${JSON.stringify(path)}, request, idempotency_key)`,
  ];
}

/** Of the method of a service, whose name stands before it. */
function descriptionOf(method: string): string {
  const [, about = ''] =
    Object.entries(descriptions).find(([name]) => new RegExp(`\\.[A-Z]\\w*\\.${method}$`).test(name)) ?? [];
  return about;
}

const snakeCase = (name: string): string =>
  name.replace(/(?<=.)[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).toLowerCase();
