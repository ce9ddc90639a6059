// Sends one JSON request over gRPC or REST, as the contract binds it, and reads both answers the same way.
// Requests are written in proto names; a path such as `watchlist.unique_id` names a field in them.
import {
  fromJson,
  getOption,
  toJson,
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescService,
  type JsonValue,
} from '@bufbuild/protobuf';
import { http } from '../../src/gen/google/api/annotations_pb.js';
import type { TestServer } from '../support/server.js';
import type { Json } from './requests.js';

export type Transport = 'gRPC' | 'REST';

export interface Outcome {
  /** HTTP status; 0 over gRPC, where the body says it all. */
  http: number;
  /** `OK`, `NOT_FOUND`, ... ; the HTTP status where the answer has the flat shape. */
  code: string;
  /** Proto paths inside the request. */
  fields: string[];
  violations: string[];
  body: Json;
}

export async function send(
  server: TestServer,
  transport: Transport,
  service: DescService,
  method: DescMethod,
  request: Json,
): Promise<Outcome> {
  return transport === 'gRPC'
    ? overGrpc(server, service, method, request)
    : overRest(server, method, request);
}

async function overGrpc(
  server: TestServer,
  service: DescService,
  method: DescMethod,
  request: Json,
): Promise<Outcome> {
  const client = clientOf(server, service);
  const answer = await client[method.localName]?.(fromJson(method.input, request as JsonValue) as object);
  return outcomeOf(0, method, toJson(method.output, answer as never) as Json);
}

type AnyClient = Record<string, (message: object) => Promise<never>>;
const clients = new WeakMap<TestServer, Map<DescService, AnyClient>>();

/** One connection per service serves all calls. */
function clientOf(server: TestServer, service: DescService): AnyClient {
  const known = clients.get(server) ?? new Map<DescService, AnyClient>();
  clients.set(server, known);
  const client = known.get(service) ?? (server.grpc(service) as unknown as AnyClient);
  known.set(service, client);
  return client;
}

async function overRest(server: TestServer, method: DescMethod, request: Json): Promise<Outcome> {
  const { pattern } = getOption(method, http);
  const verb = (pattern.case ?? 'get').toUpperCase();
  const template = typeof pattern.value === 'string' ? pattern.value : '';
  const path = template.replace(/\{([^}=]+)[^}]*\}/g, (_, name: string) =>
    encodeURIComponent(String(at(request, name) ?? '')),
  );
  if (verb !== 'GET' && verb !== 'DELETE') {
    const { status, body } = await server.rest(verb, path, { body: request });
    return outcomeOf(status, method, body);
  }
  const inPath = [...template.matchAll(/\{([^}=]+)/g)].map(([, name]) => name);
  const query = new URLSearchParams(flat(request).filter(([name]) => !inPath.includes(name)));
  const { status, body } = await server.rest(verb, `${path}?${query}`);
  return outcomeOf(status, method, body);
}

/** Whether REST has the field in the path, where it cannot be left out. */
export function isInPath(method: DescMethod, field: string): boolean {
  const { pattern } = getOption(method, http);
  const template = typeof pattern.value === 'string' ? pattern.value : '';
  return template.includes(`{${field}.value}`) || template.includes(`{${field}}`);
}

/** Whether REST carries the request as JSON, so that a field can be of the wrong kind. */
export function hasBody(method: DescMethod): boolean {
  const verb = getOption(method, http).pattern.case;
  return verb !== 'get' && verb !== 'delete';
}

function outcomeOf(status: number, method: DescMethod, body: Json): Outcome {
  const inBody = body['status'] as
    | { statusCode: string; fieldViolations?: { field: string; violation?: string }[] }
    // Refused before any operation.
    | undefined;
  if (!inBody) {
    const flatError = body as { field?: string };
    return {
      http: status,
      code: String(status),
      fields: flatError.field ? [flatError.field] : [],
      violations: [],
      body,
    };
  }
  const faults = inBody.fieldViolations ?? [];
  return {
    http: status,
    code: inBody.statusCode,
    fields: faults.map(({ field }) => field.replace(`${method.input.typeName}.`, '')),
    violations: faults.map(({ violation }) => violation ?? 'MANDATORY_FIELD_MISSING'),
    body,
  };
}

const steps = (path: string): (string | number)[] =>
  path.split('.').flatMap((part) => {
    const [, name = '', index] = /^([^[]+)(?:\[(\d+)\])?$/.exec(part) ?? [];
    return index === undefined ? [name] : [name, Number(index)];
  });

export function at(request: Json, path: string): unknown {
  return steps(path).reduce<unknown>((holder, step) => (holder as Json | undefined)?.[step], request);
}

/** A copy with one field changed, or left out when the value is undefined. */
export function changed(request: Json, path: string, value: unknown): Json {
  const copy = structuredClone(request);
  const way = steps(path);
  const last = way.pop() as string;
  const holder = way.reduce<Json>((inner, step) => inner[step] as Json, copy);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}

function flat(value: unknown, name = ''): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item) => flat(item, name));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([member, inner]) =>
      flat(inner, name ? `${name}.${member}` : member),
    );
  return value === undefined ? [] : [[name, String(value)]];
}

export interface Leaf {
  path: string;
  kind: 'id' | 'string' | 'enum' | 'other';
  field: DescField;
}

/** The fields that a request sets, apart from its context. */
export function leavesOf(desc: DescMessage, request: Json, prefix = ''): Leaf[] {
  return Object.entries(request).flatMap(([name, value]): Leaf[] => {
    const field = desc.fields.find((candidate) => candidate.name === name);
    if (!field || (prefix === '' && name === 'context')) return [];
    const path = prefix + name;
    if (field.message?.typeName === 'vendor.biosec.v1.UniqueId')
      return Array.isArray(value)
        ? value.map((_, index): Leaf => ({ path: `${path}[${index}]`, kind: 'id', field }))
        : [{ path, kind: 'id', field }];
    if (field.fieldKind === 'enum') return [{ path, kind: 'enum', field }];
    if (field.fieldKind === 'scalar')
      return [{ path, kind: typeof value === 'string' && field.scalar === 9 ? 'string' : 'other', field }];
    if (field.fieldKind === 'message' && !field.message.typeName.startsWith('google.'))
      return [{ path, kind: 'other', field }, ...leavesOf(field.message, value as Json, `${path}.`)];
    return [{ path, kind: 'other', field }];
  });
}
