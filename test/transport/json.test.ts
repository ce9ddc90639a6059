// Our compiled JSON codec against the runtime's own: same meaning, except where the contract wants more.
import {
  create,
  fromBinary,
  fromJson,
  toBinary,
  toJson,
  type DescMessage,
  type JsonValue,
} from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { AudioDetailsSchema } from '../../src/gen/vendor/biosec/v1/common_pb.js';
import { ExportResponseSchema } from '../../src/gen/vendor/biosec/v1/history/history_pb.js';
import {
  CreateScopeRequestSchema,
  ScopeDetailsForReadSchema,
} from '../../src/gen/vendor/biosec/v1/scopes/scopes_pb.js';
import { VerifyRequestSchema } from '../../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import { FieldViolationSchema, StatusSchema } from '../../src/gen/vendor/rpc/status_pb.js';
import { readObject } from '../../src/transport/rest/json-read.js';
import { writeJson } from '../../src/transport/rest/json-write.js';

const samples: [string, DescMessage, JsonValue][] = [
  [
    'timestamps and wrappers',
    ScopeDetailsForReadSchema,
    {
      scopeId: 'a',
      goLiveTimestamp: '2026-01-31T12:00:00.250Z',
      expectedPersonsNumber: 0,
      scopeState: 'SCOPE_STATE_ACTIVE',
    },
  ],
  [
    'a oneof of messages',
    VerifyRequestSchema,
    {
      context: { configsetId: 'c' },
      gkMediaSegmentId: { value: 'm' },
      ignoreCheckpoints: true,
      channelSelector: { channel: 0 },
    },
  ],
  [
    'durations and floats',
    AudioDetailsSchema,
    { grossAudio: '3.500s', snrDb: 12.25, mediaSamplingRateHz: 8000 },
  ],
  [
    'maps and lists',
    StatusSchema,
    {
      statusCode: 'OK',
      requestInfo: { requestId: 'r', additionalRequestData: { a: 'b', 'c.d': '' } },
      helpInfo: { links: [{ url: 'x' }, {}] },
    },
  ],
  [
    'nested lists',
    ExportResponseSchema,
    { exportRecord: [{ createTime: '1969-12-31T23:59:59Z', recordAsJson: '{}' }, {}], endOfRecords: true },
  ],
  ['nothing at all', CreateScopeRequestSchema, {}],
];

describe('JSON codec', () => {
  it.each(samples)('reads %s like the runtime', (_name, desc, json) => {
    const own = readObject(desc, json, '', { ignored: [] });
    expect(toBinary(desc, own)).toEqual(toBinary(desc, fromJson(desc, json)));
  });

  it.each(samples)('writes %s like the runtime', (_name, desc, json) => {
    const message = fromJson(desc, json);
    expect(JSON.parse(writeJson(desc, message))).toEqual(toJson(desc, message));
    // Also for a message that came over the wire.
    expect(JSON.parse(writeJson(desc, fromBinary(desc, toBinary(desc, message))))).toEqual(
      toJson(desc, message),
    );
  });

  it.each([
    [0n, 0],
    [1n, 0],
    [1_793_000_000n, 250_000_000],
    [1_793_000_000n, 1_000_000],
    [1_793_000_000n, 999_000_000],
    [1_793_000_000n, 1],
    [1_793_000_000n, 250_000_001],
    [1_793_000_000n, 123_456_000],
    [-1n, 999_000_000],
    [-62_135_596_800n, 0],
    [253_402_300_799n, 999_000_000],
  ])('writes a time of %s s and %s ns as the runtime does', (seconds, nanos) => {
    const message = create(ScopeDetailsForReadSchema, { goLiveTimestamp: { seconds, nanos } });
    expect(JSON.parse(writeJson(ScopeDetailsForReadSchema, message))).toMatchObject({
      goLiveTimestamp: (toJson(ScopeDetailsForReadSchema, message) as { goLiveTimestamp: string })
        .goLiveTimestamp,
    });
  });

  it.each([
    [-62_135_596_801n, 0],
    [253_402_300_800n, 0],
    [0n, -1],
    [0n, 1_000_000_000],
  ])('refuses a time of %s s and %s ns as the runtime does', (seconds, nanos) => {
    const message = create(ScopeDetailsForReadSchema, { goLiveTimestamp: { seconds, nanos } });
    expect(() => writeJson(ScopeDetailsForReadSchema, message)).toThrow('Timestamp');
  });

  it('prints the violation type whose number is zero', () => {
    expect(JSON.parse(writeJson(FieldViolationSchema, create(FieldViolationSchema, { field: 'f' })))).toEqual(
      {
        field: 'f',
        violation: 'MANDATORY_FIELD_MISSING',
      },
    );
  });

  it('refuses two members of one oneof', () => {
    const both = { gkMediaSegmentId: { value: 'a' }, gk_processed_audio_id: { value: 'b' } };
    expect(() => readObject(VerifyRequestSchema, both, '', { ignored: [] })).toThrow(
      /^gk_processed_audio_id: exactly one of gk_media_segment_id or gk_processed_audio_id may be set/,
    );
  });

  it('takes null for an absent field', () => {
    expect(
      readObject(CreateScopeRequestSchema, { scopeId: null, details: null }, '', { ignored: [] }),
    ).toEqual(create(CreateScopeRequestSchema));
  });

  it('does not let a map key reach the prototype', () => {
    const json = JSON.parse('{"requestInfo":{"additionalRequestData":{"__proto__":"x"}}}') as unknown;
    expect(() => readObject(StatusSchema, json, '', { ignored: [] })).toThrow(
      /request_info.additional_request_data: the key "__proto__"/,
    );
  });
});
