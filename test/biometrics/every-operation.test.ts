// Every operation of the voiceprint service is there on both transports and on every path it is bound to, and
// an empty request is refused by naming what is missing: never a 404, never a 500, never an empty success.
import { getOption, type DescMethod, type DescService } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { http } from '../../src/gen/google/api/annotations_pb.js';
import type { HttpRule } from '../../src/gen/google/api/http_pb.js';
import { AudioManager } from '../../src/gen/vendor/biosec/v1/audio/manager_pb.js';
import { AudioProcessor } from '../../src/gen/vendor/biosec/v1/audio/processor_pb.js';
import { ConfigurationManager } from '../../src/gen/vendor/biosec/v1/configmanager/configmanager_pb.js';
import { EntitiesManager } from '../../src/gen/vendor/biosec/v1/entities/entities_pb.js';
import { SessionsManager } from '../../src/gen/vendor/biosec/v1/sessions/sessions_pb.js';
import { TuningManager } from '../../src/gen/vendor/biosec/v1/tuning/tuning_pb.js';
import { VoiceprintsManager } from '../../src/gen/vendor/biosec/v1/voiceprint/manager_pb.js';
import { VoiceprintsProcessor } from '../../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import { StatusCode, type Status } from '../../src/gen/vendor/rpc/status_pb.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { forEachStore } from './support.js';

const services: DescService[] = [
  VoiceprintsProcessor,
  VoiceprintsManager,
  SessionsManager,
  EntitiesManager,
  AudioManager,
  AudioProcessor,
  ConfigurationManager,
  TuningManager,
];

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

        const bindings = bindingsOf(method);
        expect(bindings.length).toBeGreaterThan(0);
        for (const { verb, path } of bindings) {
          const hasBody = verb !== 'GET' && verb !== 'DELETE';
          const answer = await server.rest(verb, path, hasBody ? { body: {} } : {});
          expect(answer.status, `${verb} ${path}`).toBe(400);
          expect(answer.body.status.statusCode, `${verb} ${path}`).toBe('INVALID_REQUEST');
          expect(answer.body.status.fieldViolations.length, `${verb} ${path}`).toBeGreaterThan(0);
        }
      },
    );
  });
});
