// The OpenAPI 3.1 document, from the same descriptors and HTTP rules as the transcoder: what is not
// registered is not in it, and nothing can be in it that is not served.
import type { DescField, DescMessage, DescMethod } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { accessOf } from '../access.js';
import { takesKey } from '../dispatch/keyed-calls.js';
import { httpBindings, type HttpBinding } from '../rest/http-rules.js';
import { templateForOpenApi } from '../rest/path-template.js';
import type { ServiceBinding } from '../service.js';
import { pythonSample, typescriptSample, type CodeSample } from './code-samples.js';
import { CONTEXT, IDENTIFIER, isMandatory, mandatoryInContext } from './mandatory.js';
import { curlSample, requestSample } from './sample.js';
import { SchemaCollector, descriptionOf, type JsonSchema } from './schema.js';

export interface OpenApiOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  deprecated?: boolean;
  parameters: {
    name: string;
    in: 'path' | 'query' | 'header';
    required: boolean;
    description?: string;
    schema: JsonSchema;
  }[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, unknown>;
  security: Record<string, readonly string[]>[];
  /** As readers of OpenAPI documents show them. */
  'x-codeSamples': CodeSample[];
}

export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, unknown> };
}

/** Query parameters are shown down to here; deeper ones are accepted all the same. */
const QUERY_DEPTH_MAX = 4;
const FLAT_ERROR = 'FlatError';

export function buildOpenApi(
  bindings: readonly ServiceBinding[],
  version: string,
  serverUrl: string,
): OpenApiDocument {
  const collector = new SchemaCollector();
  collector.schemas[FLAT_ERROR] = {
    type: 'object',
    description: 'A request that was rejected before its operation ran.',
    properties: {
      status_code: { type: 'integer' },
      error_message: { type: 'string' },
      field: { type: 'string' },
    },
    required: ['status_code', 'error_message'],
  };
  const paths: OpenApiDocument['paths'] = {};
  for (const service of bindings) {
    for (const method of service.service.methods) {
      httpBindings(method).forEach((binding, index) => {
        const path = (paths[templateForOpenApi(binding.template)] ??= {});
        path[binding.httpMethod.toLowerCase()] = operationOf(service, method, binding, index, collector);
      });
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Voxgate',
      version,
      description:
        'The gRPC services of this server as REST. The status member of a response holds the outcome of the operation.',
    },
    servers: [{ url: serverUrl }],
    tags: bindings.map(({ service }) => {
      const description = descriptionOf(service.typeName);
      return description === undefined ? { name: service.name } : { name: service.name, description };
    }),
    paths,
    components: {
      schemas: collector.schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An access token of the token service.' },
      },
    },
  };
}

function operationOf(
  service: ServiceBinding,
  method: DescMethod,
  binding: HttpBinding,
  index: number,
  collector: SchemaCollector,
): OpenApiOperation {
  const description = descriptionOf(`${service.service.typeName}.${method.name}`);
  const pathFields = binding.template.segments.flatMap((segment) =>
    segment.kind === 'variable' ? [segment.fieldPath.join('.')] : [],
  );
  const pathRoots = pathFields.map((name) => name.split('.', 1)[0] ?? name);
  const parameters: OpenApiOperation['parameters'] = pathFields.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  if (binding.body === undefined)
    parameters.push(...queryParameters(method.input, collector, { pathFields }));
  if (takesKey(method)) parameters.push(idempotencyKey);
  const { scopes } = accessOf(service.access, method);
  const answer = { schema: collector.ref(method.output) };
  const refusal = { schema: { $ref: `#/components/schemas/${FLAT_ERROR}` } };
  const either = { schema: { oneOf: [answer.schema, refusal.schema] } };
  return {
    operationId: `${service.service.name}_${method.name}${index === 0 ? '' : `_${index + 1}`}`,
    tags: [service.service.name],
    summary: method.name,
    ...(description === undefined ? {} : { description }),
    ...(binding.template.text.startsWith('/vendor/') ? { deprecated: true } : {}),
    parameters,
    ...(binding.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: collector.request(method.input, pathRoots) } },
          },
        }),
    responses: {
      200: { description: 'The operation ran; see status.', content: { 'application/json': answer } },
      401: { description: 'No valid token.', content: { 'application/json': refusal } },
      '4XX': {
        description: 'Refused, or failed because of the caller.',
        content: { 'application/json': either },
      },
      '5XX': { description: 'Failed because of the server.', content: { 'application/json': either } },
    },
    // One alternative per scope: any of them will do.
    security: scopes.map((scope) => ({ bearer: [scope] })),
    'x-codeSamples': codeSamples(method, binding),
  };
}

function codeSamples(method: DescMethod, binding: HttpBinding): CodeSample[] {
  const request = requestSample(method, binding);
  return [
    { lang: 'Shell', label: 'curl', source: curlSample(method, binding) },
    { lang: 'TypeScript', label: 'TypeScript', source: typescriptSample(method.name, request) },
    { lang: 'Python', label: 'Python', source: pythonSample(method.name, request) },
  ];
}

const idempotencyKey: OpenApiOperation['parameters'][number] = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Your name for this request, such as a UUID. The same request with the same key within 24 hours gets the first answer and does nothing.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

interface QueryPlace {
  pathFields: readonly string[];
  prefix?: string;
  depth?: number;
  /** Which members of this message the request needs. */
  isNeeded?: (field: DescField) => boolean;
}

function queryParameters(
  desc: DescMessage,
  collector: SchemaCollector,
  { pathFields, prefix = '', depth = 1, isNeeded = isMandatory }: QueryPlace,
): OpenApiOperation['parameters'] {
  return desc.fields.flatMap((field): OpenApiOperation['parameters'] => {
    const name = prefix + field.name;
    if (pathFields.includes(name)) return [];
    if (isNested(field)) {
      if (depth >= QUERY_DEPTH_MAX) return [];
      const inner = { pathFields, prefix: `${name}.`, depth: depth + 1, isNeeded: neededIn(field, isNeeded) };
      return queryParameters(field.message, collector, inner);
    }
    if (field.fieldKind === 'map' || (field.fieldKind === 'list' && field.listKind === 'message')) return [];
    const { description, ...schema } = collector.field(field);
    return [
      {
        name,
        in: 'query',
        required: !field.oneof && isNeeded(field),
        schema,
        ...(typeof description === 'string' ? { description } : {}),
      },
    ];
  });
}

/** What a request needs of a message in it. */
function neededIn(
  field: DescField & { fieldKind: 'message' },
  isNeeded: (field: DescField) => boolean,
): (inner: DescField) => boolean {
  const { typeName } = field.message;
  if (typeName === CONTEXT) {
    const names = mandatoryInContext(field);
    return ({ name }) => names.includes(name);
  }
  if (field.oneof || !isNeeded(field)) return () => false;
  return typeName === IDENTIFIER ? () => true : isMandatory;
}

function isNested(field: DescField): field is DescField & { fieldKind: 'message' } {
  return (
    field.fieldKind === 'message' &&
    !isWrapperDesc(field.message) &&
    !field.message.typeName.startsWith('google.protobuf.')
  );
}
