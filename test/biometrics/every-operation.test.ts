// Every operation of the voiceprint service is there on both transports and on every path it is bound to, and an empty
// request is refused by naming all that is missing at once, with every member of a choice: never a 404, never a 500, never an
// empty success.
import { getOption, type DescMethod } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { http } from '../../src/gen/google/api/annotations_pb.js';
import type { HttpRule } from '../../src/gen/google/api/http_pb.js';
import { AudioProcessor } from '../../src/gen/vendor/biosec/v1/audio/processor_pb.js';
import { VoiceprintsProcessor } from '../../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import { StatusCode, type Status } from '../../src/gen/vendor/rpc/status_pb.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { isInPath } from './calls.js';
import { cases, services } from './requests.js';
import { forEachStore } from './support.js';

/** What a request must have, by the contract: context members, mandatory fields, and all members of a mandatory choice. */
function mandatoryIn(method: DescMethod): string[] {
  const entry = cases[method.name];
  if (!entry) throw new Error(`${method.name} has no valid request`);
  const context = contextMembers.filter((_, index) => entry.context[index] === 'M');
  const fields = entry.mandatory.flatMap((one) => {
    const name = typeof one === 'string' ? one : one[1];
    // A member of a message is missing only where the message is there.
    if (name.includes('.')) return [];
    const oneof = method.input.fields.find((field) => field.name === name)?.oneof;
    return oneof ? oneof.fields.map((field) => field.name) : [name];
  });
  return [...context, ...fields, ...(choices[method.name] ?? [])].sort();
}

const contextMembers = ['gk_engagement_id', 'gk_session_id', 'gk_scope_id', 'configset_id'].map(
  (member) => `context.${member}`,
);

/** Fields of which one is needed without a choice that says so. */
const choices: Readonly<Record<string, string[]>> = {
  AnalyzeAudio: ['gk_voiceprint_profile_ids', 'group', 'watchlist', ...attackChecks()],
  DetectAudioSpoofing: ['channelPlaybackDetectionParameters'],
};

function attackChecks(): string[] {
  return ['syntheticSpeechDetectionParameters', 'channelPlaybackDetectionParameters'];
}

const namedBy = (method: DescMethod, violations: readonly { field: string }[]): string[] =>
  violations.map(({ field }) => field.replace(`${method.input.typeName}.`, '')).sort();

/** Method and path of every binding, its variables filled in. */
function bindingsOf(method: DescMethod): { verb: string; path: string }[] {
  const flat = (rule: HttpRule): HttpRule[] => [rule, ...rule.additionalBindings.flatMap(flat)];
  return flat(getOption(method, http)).flatMap(({ pattern }) =>
    typeof pattern.value === 'string' && pattern.case
      ? [{ verb: pattern.case.toUpperCase(), path: pattern.value.replace(/\{[^}]+\}/g, 'x') }]
      : [],
  );
}

await forEachStore((store) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ config: { 'engine.workers': 1, ...(await store.settings()) } });
  });
  afterAll(() => server.stop());

  describe.each(services.map((service) => [service.name, service] as const))('%s', (_name, service) => {
    const namesAll = service === VoiceprintsProcessor || service === AudioProcessor;
    it.each(service.methods.map((method) => [method.name, method] as const))(
      '%s',
      async (_method, method) => {
        const client = server.grpc(service) as unknown as Record<
          string,
          (request: object) => Promise<{ status?: Status }>
        >;
        const { status } = (await client[method.localName]?.({})) ?? {};
        expect(status?.statusCode).toBe(StatusCode.INVALID_REQUEST);
        expect(status?.fieldViolations.length).toBeGreaterThan(0);
        for (const { field, message } of status?.fieldViolations ?? []) {
          expect(field.startsWith(`${method.input.typeName}.`)).toBe(true);
          expect(message).not.toBe('');
        }
        const wanted = mandatoryIn(method);
        if (namesAll) expect(namedBy(method, status?.fieldViolations ?? [])).toEqual(wanted);

        const bindings = bindingsOf(method);
        expect(bindings.length).toBeGreaterThan(0);
        for (const { verb, path } of bindings) {
          const hasBody = verb !== 'GET' && verb !== 'DELETE';
          const answer = await server.rest(verb, path, hasBody ? { body: {} } : {});
          expect(answer.status, `${verb} ${path}`).toBe(400);
          expect(answer.body.status.statusCode, `${verb} ${path}`).toBe('INVALID_REQUEST');
          expect(answer.body.status.fieldViolations.length, `${verb} ${path}`).toBeGreaterThan(0);
          if (!namesAll) continue;
          const inPath = wanted.filter((field) => isInPath(method, field));
          expect(namedBy(method, answer.body.status.fieldViolations), `${verb} ${path}`).toEqual(
            wanted.filter((field) => !inPath.includes(field)),
          );
        }
      },
    );
  });
});
