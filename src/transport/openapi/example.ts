// A first request for the reader to copy: a curl line with a body made from the schema.
import type { OpenApiDocument, OpenApiOperation } from './document.js';
import type { JsonSchema } from './schema.js';

const DEPTH_MAX = 4;

export function curlLine(
  document: OpenApiDocument,
  httpMethod: string,
  path: string,
  operation: OpenApiOperation,
): string {
  const server = document.servers[0]?.url ?? '';
  const url = path.replace(/\{([^}]+)\}/g, (_match, name: string) => `\${${shellName(name)}}`);
  const verb = httpMethod === 'get' ? '' : ` -X ${httpMethod.toUpperCase()}`;
  const lines = [
    `curl${verb} "${server === '/' ? '$VOXGATE' : server}${url}"`,
    `-H "Authorization: Bearer $TOKEN"`,
  ];
  if (operation.requestBody) {
    const schema = operation.requestBody.content['application/json']?.schema ?? {};
    const body = exampleOf(document, schema, 0, pathRoots(operation));
    lines.push(`-H "Content-Type: application/json"`, `-d '${JSON.stringify(body)}'`);
  }
  return lines.join(' \\\n  ');
}

/** Fields that the path already gives are left out of the body. */
function pathRoots(operation: OpenApiOperation): Set<string> {
  const names = operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .map((parameter) => parameter.name.split('.')[0] as string);
  return new Set(
    names.map((name) => name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())),
  );
}

function exampleOf(
  document: OpenApiDocument,
  schema: JsonSchema,
  depth: number,
  without: ReadonlySet<string> = new Set(),
): unknown {
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const name = reference.slice('#/components/schemas/'.length);
    return exampleOf(document, document.components.schemas[name] ?? {}, depth, without);
  }
  const examples = schema['examples'];
  if (Array.isArray(examples)) return examples[0];
  const choices = schema['enum'];
  if (Array.isArray(choices)) return choices[1] ?? choices[0];
  switch (schema['type']) {
    case 'object': {
      if (depth >= DEPTH_MAX) return {};
      const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
      return Object.fromEntries(
        properties
          .filter(([name]) => !without.has(name))
          .map(([name, inner]) => [name, exampleOf(document, inner, depth + 1)]),
      );
    }
    case 'array':
      return depth >= DEPTH_MAX ? [] : [exampleOf(document, schema['items'] as JsonSchema, depth + 1)];
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return 1;
    default:
      return 'text';
  }
}

function shellName(field: string): string {
  return field
    .replace(/\.value$/, '')
    .replace(/[^A-Za-z0-9]/g, '_')
    .toUpperCase();
}
