// Every operation of every service of the contract is there on both transports and on every path it is bound to, and an empty
// request is refused by naming all that is missing at once, with every member of a choice: never a 404, never a 500, never an
// empty success. What is mandatory is read from the contract's own comments, so that neither can forget a field.
import { getOption, type DescMethod } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { descriptions } from '../../src/gen/descriptions.js';
import { http } from '../../src/gen/google/api/annotations_pb.js';
import type { HttpRule } from '../../src/gen/google/api/http_pb.js';
import {
  FieldViolation_ViolationType as ViolationType,
  StatusCode,
  type Status,
} from '../../src/gen/vendor/rpc/status_pb.js';
import { contractFiles } from '../gen/contract-files.js';
import { itInLanes } from '../support/lanes.js';
import { startTestServer, testCaller, type TestServer } from '../support/server.js';
import { forEachStore } from './support.js';

/** The audit export only streams, over gRPC: export.test.ts. */
const services = contractFiles
  .flatMap((file) => file.services)
  .filter((service) => service.methods.some((method) => method.methodKind === 'unary'));
/** The token of a person who may do everything, to their own account too. */
const ADMINISTRATOR = 'administrator';
const attackChecks = ['syntheticSpeechDetectionParameters', 'channelPlaybackDetectionParameters'];

/** Fields of which one is needed without a choice that says so. */
const choices: Readonly<Record<string, readonly string[]>> = {
  AnalyzeAudio: ['gk_voiceprint_profile_ids', 'group', 'watchlist', ...attackChecks],
  DetectAudioSpoofing: attackChecks,
  PrepareCall: [
    'target.gk_voiceprint_profile_ids',
    'target.group',
    'target.watchlist',
    'target.synthetic_speech',
    'target.playback',
  ],
};

const contextWords: readonly [RegExp, string][] = [
  [/\bengagement\b/i, 'context.gk_engagement_id'],
  [/\bsession\b/i, 'context.gk_session_id'],
  [/\b(?:scope|tenant)\b/i, 'context.gk_scope_id'],
  [/\bconfig set\b/i, 'context.configset_id'],
];

/** What the contract says: `Scope mandatory, config set optional.` or `All four members are mandatory.` */
function contextMembers(text: string): string[] {
  const all = /^All four members are mandatory/.test(text);
  const named = /^(.*?) mandatory/.exec(text)?.[1] ?? '';
  return contextWords.filter(([word]) => all || word.test(named)).map(([, member]) => member);
}

/** `Mandatory.`, `Name; mandatory.`; not `Mandatory for files without a header.` A context may name it instead. */
const isMandatory = (text: string): boolean =>
  /(^|; )mandatory[.;]/i.test(text) || /, unless the context names it\.$/.test(text);

function mandatoryIn({ name, input }: DescMethod): string[] {
  const textOf = (member: string): string =>
    (descriptions as Readonly<Record<string, string>>)[`${input.typeName}.${member}`] ?? '';
  const fields = input.fields.filter((field) =>
    field.oneof ? isMandatory(textOf(field.oneof.name)) : isMandatory(textOf(field.name)),
  );
  return [
    ...contextMembers(textOf('context')),
    ...fields.map((field) => field.name),
    ...(choices[name] ?? []),
  ].sort();
}

interface Named {
  field: string;
  isMissing: boolean;
}

/** Members of a message can be missing only where the message is there: over REST, where it is in the path. */
const missingIn = (method: DescMethod, violations: readonly Named[]): string[] =>
  violations
    .filter(({ isMissing }) => isMissing)
    .map(({ field }) => field.replace(`${method.input.typeName}.`, ''))
    .filter((field) => !field.includes('.') || /^(context|target)\./.test(field))
    .sort();

interface Binding {
  verb: string;
  path: string;
  /** Top-level fields in the path, which cannot be left out. */
  inPath: string[];
}

/** Every binding, its variables filled in. */
function bindingsOf(method: DescMethod): Binding[] {
  const flat = (rule: HttpRule): HttpRule[] => [rule, ...rule.additionalBindings.flatMap(flat)];
  return flat(getOption(method, http)).flatMap(({ pattern }) =>
    typeof pattern.value === 'string' && pattern.case
      ? [
          {
            verb: pattern.case.toUpperCase(),
            path: pattern.value.replace(/\{[^}]+\}/g, 'x'),
            inPath: [...pattern.value.matchAll(/\{([^}.=]+)/g)].map(([, field]) => field ?? ''),
          },
        ]
      : [],
  );
}

it('reads what is mandatory from the contract', () => {
  const table = new Map(
    services.flatMap((service) => service.methods.map((method) => [method.name, mandatoryIn(method)])),
  );
  expect(table.get('StopSession')).toEqual([
    'context.gk_engagement_id',
    'context.gk_scope_id',
    'context.gk_session_id',
  ]);
  expect(table.get('CreateConfigset')).toEqual([
    'configset_id',
    'configset_object',
    'context.gk_scope_id',
    'raw_content',
    'source_configset_id',
    'source_template_id',
    'type',
  ]);
  expect(table.get('CreateClient')).toEqual(['app_id', 'name']);
  expect(table.get('ListUsers')).toEqual([]);
});

await forEachStore((store) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      config: { 'engine.workers': 1, ...(await store.settings()) },
      callers: { [ADMINISTRATOR]: { ...testCaller, userId: 'admin' } },
    });
  });
  afterAll(() => server.stop());

  async function overGrpc(method: DescMethod, wanted: readonly string[]): Promise<void> {
    const client = server.grpc(method.parent) as unknown as Record<
      string,
      (request: object, options: { token: string }) => Promise<{ status?: Status }>
    >;
    const { status } = (await client[method.localName]?.({}, { token: ADMINISTRATOR })) ?? {};
    const violations = status?.fieldViolations ?? [];
    if (wanted.length > 0) expect(status?.statusCode).toBe(StatusCode.INVALID_REQUEST);
    for (const { field, message } of violations) {
      expect(field.startsWith(`${method.input.typeName}.`), field).toBe(true);
      expect(message).not.toBe('');
    }
    const named = violations.map(({ field, violation }) => ({
      field,
      isMissing: violation === ViolationType.MANDATORY_FIELD_MISSING,
    }));
    expect(missingIn(method, named)).toEqual(wanted);
  }

  async function overRest(method: DescMethod, binding: Binding, wanted: readonly string[]): Promise<void> {
    const { verb, path, inPath } = binding;
    const told = `${verb} ${path}`;
    const hasBody = verb !== 'GET' && verb !== 'DELETE';
    const answer = await server.rest(verb, path, { token: ADMINISTRATOR, ...(hasBody && { body: {} }) });
    const left = wanted.filter((field) => !inPath.includes(field));
    expect(answer.status, told).toBeLessThan(500);
    // Whose application or client it is decides who may ask, so that is looked up before the other fields are looked at.
    const isOwned = method.parent.typeName.startsWith('voxgate.management.') && inPath.length > 0;
    if (isOwned && answer.status === 404) return;
    if (left.length > 0) {
      expect(answer.status, told).toBe(400);
      expect(answer.body.status.statusCode, told).toBe('INVALID_REQUEST');
    }
    const violations: { field: string; violation?: string }[] = answer.body.status?.fieldViolations ?? [];
    // The first value of an enum is left out of JSON.
    const named = violations.map(({ field, violation }) => ({
      field,
      isMissing: (violation ?? 'MANDATORY_FIELD_MISSING') === 'MANDATORY_FIELD_MISSING',
    }));
    expect(missingIn(method, named), told).toEqual(left);
  }

  describe.each(services.map((service) => [service.name, service] as const))('%s', (_name, service) => {
    const unary = service.methods.filter((method) => method.methodKind === 'unary');
    itInLanes(unary.map((method) => [method.name, method] as const))('%s', async (_method, method) => {
      const wanted = mandatoryIn(method);
      await overGrpc(method, wanted);
      const bindings = bindingsOf(method);
      expect(bindings.length).toBeGreaterThan(0);
      for (const binding of bindings) await overRest(method, binding, wanted);
    });
  });
});
