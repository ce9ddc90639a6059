// What a call leaves in the event log: the call with its tenant, and the decision it came to.
import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { composeEvents } from '../../src/compose/events.js';
import { configWith } from '../../src/config.js';
import { Decision } from '../../src/gen/vendor/biosec/v1/common_pb.js';
import {
  VerifyRequestSchema,
  VerifyResponseSchema,
} from '../../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import { DecisionReason } from '../../src/gen/vendor/biosec/v1/voiceprint/types_pb.js';
import { silentLog, systemIds } from '../../src/platform.js';
import { openDatabase } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import type { CallRecord } from '../../src/transport/dispatch/exchange.js';
import { temporaryFolder, testCall } from '../support/storage.js';

it('records calls of applications with tenant and decision, and nothing of people or of the log itself', async () => {
  const database = openDatabase({ kind: 'sqlite', file: `${temporaryFolder()}/events.db` });
  const clock = { now: () => 5000 };
  await migrate(database, clock);
  const core = { config: configWith({}), clock, ids: systemIds, log: silentLog };
  const events = composeEvents(core, { database } as never);
  const { caller } = testCall({ appId: 'app-a', clientId: 'client-a' });
  const call: CallRecord = {
    service: 'vendor.biosec.v1.voiceprint.VoiceprintsProcessor',
    method: 'Verify',
    transport: 'grpc',
    code: 'OK',
    elapsedMs: 12.34,
    requestId: 'request-1',
    denial: undefined,
    isRepeat: false,
    traceId: undefined,
    caller,
    request: create(VerifyRequestSchema, { context: { gkScopeId: { value: 'tenant-a' } } }),
    response: create(VerifyResponseSchema, {
      result: { decision: Decision.AUTHENTIC, reason: 1 as DecisionReason },
    }),
  };
  events.onCall?.(call);
  const denied = { code: 'PERMISSION_DENIED', denial: 'TENANT_NOT_GRANTED' };
  events.onCall?.({ ...call, ...denied, response: undefined });
  events.onCall?.({ ...call, service: 'voxgate.management.v1.EventLog' });
  events.onCall?.({ ...call, caller: testCall({ userId: 'u' }).caller });
  events.onCall?.({ ...call, caller: undefined });
  await events.flush();
  const common = {
    atMs: 5000,
    appId: 'app-a',
    clientId: 'client-a',
    requestId: 'request-1',
    gkScopeId: 'tenant-a',
  };
  const method = { service: call.service, method: 'Verify' };
  expect(
    (await events.store.read({ afterSeq: 0, limit: 10 })).map(({ seq: _seq, ...event }) => event),
  ).toEqual([
    {
      type: 'decision',
      ...common,
      outcome: 'AUTHENTIC',
      attributes: { ...method, reason: DecisionReason[1] },
    },
    {
      type: 'call',
      ...common,
      outcome: 'OK',
      attributes: { ...method, transport: 'grpc', latency_ms: '12.3' },
    },
    {
      type: 'call',
      ...common,
      outcome: 'PERMISSION_DENIED',
      attributes: { ...method, transport: 'grpc', latency_ms: '12.3', reason: 'TENANT_NOT_GRANTED' },
    },
  ]);
  await database.close();
});
