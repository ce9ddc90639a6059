// What the audit pages say: every act that is recorded anywhere has a sentence in both languages, whatever stands in a record is in
// words, and what it is about has a page.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { recordTypes } from '../../src/audit/model.js';
import {
  attributeItems,
  checkOf,
  nameWords,
  placeOf,
  recordItems,
  recordTitle,
  targetPlace,
  valueWords,
} from '../../src/console/pages/sessions/record-words.js';
import { text as germanRecords } from '../../src/console/text/de/records.js';
import { text as records } from '../../src/console/text/en/records.js';
import type { CertificateRule } from '../../src/auth/model.js';
import type { PartyDetails } from '../../src/biometrics/model/entities.js';
import type { SessionDetails } from '../../src/biometrics/model/sessions.js';
import type {
  Agent,
  AgentGroup,
  BusinessUnit,
  HoursOfOperation,
  Site,
} from '../../src/engagement-api/model.js';
import { members, type AuditMember } from '../../src/words/audit/members.js';
import { english as acts } from '../../src/words/audit/english.js';
import { tenantActs } from '../../src/events/webhooks/event-types.js';
import { dateTime, shortId } from '../../src/console/format/text.js';
import type { RecordTypeJson } from '../../src/gen/vendor/biosec/v1/history/history_pb.js';

const ROOT = new URL('../../src/', import.meta.url).pathname;

const sources = (...rooms: string[]): string[] =>
  rooms.flatMap((room) =>
    readdirSync(`${ROOT}${room}`, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(`${ROOT}${room}/${file}`, 'utf8')),
  );

const allIn = (texts: readonly string[], pattern: RegExp): string[] =>
  texts.flatMap((text) => [...text.matchAll(pattern)].map(([, found]) => found ?? ''));

describe('the catalogue of members', () => {
  it('names the members of what a record only says has changed', () => {
    type Changed =
      | keyof (Site & BusinessUnit & AgentGroup & HoursOfOperation & Agent)
      | keyof CertificateRule
      | keyof (PartyDetails & SessionDetails);
    // What records tell themselves does not compile without a name (`auditDetail`).
    const isComplete: [Exclude<Changed, AuditMember>] extends [never] ? true : Exclude<Changed, AuditMember> =
      true;
    expect(isComplete).toBe(true);
    const ofTenants = [
      'customer_name',
      'is_billable',
      'scope_type',
      'go_live_timestamp',
      'expected_persons_number',
    ];
    for (const name of ofTenants) expect(Object.values(members)).toContain(nameWords(name));
  });
});

describe('the catalogue of acts', () => {
  it('has no act of a tenant that webhooks do not know, and which they would refuse', () => {
    const ofTenants = Object.keys(acts).filter((act) => !act.includes('.') && act !== 'AgentWord');
    expect([...tenantActs].sort()).toEqual(ofTenants.sort());
  });

  it.each(Object.entries(acts))('%s: %s', (_act, words) => {
    expect(words).toMatch(/ /);
  });
});

describe('what stands in a record', () => {
  it.each([
    ['decision', 'NO_MATCH', 'No match'],
    ['decision', 'NO_RISK_DETECTED', 'No risk found'],
    ['verdict', 'SOMEONE_ELSE', 'Someone else'],
    ['reason', 'VOICEPRINT_NO_MATCH', 'The voice does not match well enough'],
    ['reason', 'AUDIO_TOO_NOISY', 'Too much background noise'],
    ['reason', 'TRAIN_OK', 'The voiceprint is trained'],
    ['validity', 'AUDIO_OK', 'Good audio'],
    ['sessionType', 'CALL_CENTER', 'Call with an agent'],
    ['intent', 'FRAUD_DETECTION', 'Fraud detection'],
    ['factor', 'FRAUD_DETECTION', 'watchlist check'],
    ['changed', ['caseNumber', 'firstName'], 'Case number, First name'],
    ['netSpeechMs', 5230, '5.2 s'],
    ['netSpeechMs', 61_500, '61.5 s'],
    ['overlapMs', 3_600_000, '1 hour'],
    ['overlapMs', 86_400_000, '24 hours'],
    ['overlapMs', 300_000, '5 minutes'],
    ['endReason', 'crashed', 'the server stopped in the middle of the call'],
    ['score', 3.14159, '3.14'],
    ['locked', true, 'yes'],
    ['overlapMs', 0, 'no time: it was revoked at once'],
    ['waitSeconds', 60, '1 minute'],
    ['activeFromMs', Date.UTC(2026, 10, 17, 12), dateTime('2026-11-17T12:00:00.000Z')],
    ['from', 'READY', 'Ready'],
    ['method', 'totp', 'authenticator app'],
    ['profile', 'DEFAULT', 'standard'],
    ['profile', '5M', 'up to 5 million transactions a year'],
    ['clientId', 'unknown', 'unknown'],
    // Somebody's own word is no code.
    ['name', 'none', 'none'],
    ['changed', ['spans', 'slotsUsed'], 'Weekly hours, Conversations now'],
    ['changed', ['customer_name', 'scope_id'], 'Customer, Tenant'],
    ['undone', { segments: 2, consents: 0 }, 'Recordings: 2; Consents: 0'],
    ['whatever', 'SOME_NEW_CODE', 'Some new code'],
    ['tag', 'MAIN', 'MAIN'],
    ['tag', '', '–'],
  ])('%s %s reads %s', (name, value, shown) => {
    expect(valueWords(name, value)).toBe(shown);
  });

  it('names a user by the member that holds it, and not what stands beside the record anyway', () => {
    const id = '717c1010-0000-4000-8000-000000000001';
    const nameOf = (found: string, member?: string) =>
      found === id && member === 'user' ? 'Ada' : undefined;
    const detail = { overlapMs: 3_600_000, user: id, target: { type: 'client', id: 'appID:x' } };
    expect(recordItems(detail, 'client.regenerate-secret', nameOf)).toEqual([
      { name: 'The old secret works for', value: '1 hour' },
      { name: 'User', value: 'Ada' },
    ]);
  });

  it('names the tenants in which somebody has a role', () => {
    const [demo, gone] = ['717c1010-0000-4000-8000-000000000001', '927cff93-0000-4000-8000-000000000002'];
    const nameOf = (id: string) => (id === demo ? 'Demo' : undefined);
    const granted = [`${demo}=fraud-analyst`, `${gone}=auditor`];
    expect(recordItems({ before: { granted }, after: { granted: [] } }, 'user.update', nameOf)).toEqual([
      { name: 'Roles in tenants', before: `fraud analyst in Demo, auditor in ${shortId(gone)}`, value: '–' },
    ]);
  });

  it('shows what a change took the place of', () => {
    expect(recordItems({ verdict: 'FRAUD', verdictBefore: 'UNCERTAIN' })).toEqual([
      { name: 'Outcome', value: 'Fraud', before: 'Uncertain' },
    ]);
    expect(
      recordItems({ before: { role: 'member', name: 'x' }, after: { role: 'auditor', name: 'x' } }),
    ).toEqual([{ name: 'Role', value: 'auditor', before: 'member' }]);
    // Yes or no is told once.
    expect(
      recordItems({ before: { isRenamed: false, role: 'x' }, after: { isRenamed: true, role: 'x' } }),
    ).toEqual([{ name: 'Renamed', value: 'yes' }]);
    expect(recordItems({ changed: [], note: 'CHANGED' })).toEqual([{ name: 'Note', value: 'changed' }]);
  });

  it('tells the attributes of a timeline in the same words', () => {
    const group = '717c1010-0000-4000-8000-000000000001';
    const attributes = {
      caseNumber: 'ADDED',
      changed: '[]',
      netSpeechMs: '5230',
      stretchScore: '3.14159',
      final: 'true',
      engagementId: '12345',
      gkGroupId: group,
      description: '[not a list',
    };
    expect(attributeItems(attributes, 'UpdateEngagement')).toEqual([
      { name: 'Case number', value: 'added' },
      { name: 'Speech', value: '5.2 s' },
      { name: 'Score of the stretch', value: '3.14' },
      { name: 'Result of the whole call', value: 'yes' },
      { name: 'Reference', value: '12345' },
      { name: 'Group', value: group },
      { name: 'Description', value: '[not a list' },
    ]);
  });

  it.each([
    ['0', 'AUDIO_TOO_SHORT', 'No speech was found'],
    ['0', 'AUDIO_TOO_SOFT', 'No speech was found'],
    ['900', 'AUDIO_TOO_SHORT', 'Too little speech'],
  ])(
    'calls a recording with %s ms of speech and %s the same as its check: %s',
    (netSpeechMs, validity, said) => {
      const attributes = { factor: 'AUTHENTICATION', netSpeechMs, validity };
      const items = attributeItems(attributes, 'Verify').map(({ value }) => value);
      expect(items).toContain(said);
      const detail = {
        netSpeechMs: Number(netSpeechMs),
        validity,
        check: 'synthetic',
        decision: 'UNCERTAIN',
        reason: validity,
      };
      const both = recordItems(detail, 'DetectAudioSpoofing').filter(({ value }) => value === said);
      expect(both).toHaveLength(2);
    },
  );

  it('has names for the members in both languages, and none in capitals with bars', () => {
    expect(Object.keys(germanRecords.names)).toEqual(Object.keys(records.names));
    expect(Object.keys(germanRecords.values)).toEqual(Object.keys(records.values));
    const membersOf = (catalogue: typeof records.valuesOf) =>
      Object.entries(catalogue).map(([member, values]) => [member, ...Object.keys(values)]);
    expect(membersOf(germanRecords.valuesOf)).toEqual(membersOf(records.valuesOf));
    expect(nameWords('gkSomethingElse')).toBe('Something else');
    for (const word of [...Object.values(records.names), ...Object.values(records.values)])
      expect(word).not.toMatch(/_/);
  });
});

describe('the record of a check', () => {
  const itemsOf = (operation: string, detail: Record<string, unknown>): Record<string, string> =>
    Object.fromEntries(recordItems(detail, operation).map(({ name, value }) => [name, value]));

  it.each([
    ['Verify', 'AUTHENTICATION', 'AUTHENTIC', 'VOICEPRINT_MATCH', 'The voice matches the voiceprint'],
    ['Verify', 'AUTHENTICATION', 'NO_MATCH', 'VOICEPRINT_NO_MATCH', 'The voice does not match well enough'],
    ['Verify', 'AUTHENTICATION', 'FRAUD', 'FRAUDSTER_INDICATION', 'This is clearly someone else’s voice'],
    ['Identify', 'AUTHENTICATION', 'AUTHENTIC', 'VOICEPRINT_MATCH', 'The voice matches someone in the group'],
    [
      'Identify',
      'AUTHENTICATION',
      'FRAUD',
      'FRAUDSTER_INDICATION',
      'The voice is unlike everyone’s in the group',
    ],
    [
      'DetectKnownFraudsters',
      'FRAUD_DETECTION',
      'FRAUD',
      'FRAUDSTER_INDICATION',
      'The voice resembles a known fraudster',
    ],
    [
      'DetectKnownFraudsters',
      'FRAUD_DETECTION',
      'NO_RISK_DETECTED',
      'NO_RISK_DETECTED',
      'The voice is not that of a known fraudster',
    ],
    [
      'DetectKnownFraudsters',
      'FRAUD_DETECTION',
      'UNCERTAIN',
      'NO_SCORES',
      'Nobody on the watchlist had a trained voiceprint',
    ],
    [
      'AnalyzeAudio',
      'FRAUD_DETECTION',
      'FRAUD',
      'FRAUDSTER_INDICATION',
      'The voice resembles a known fraudster',
    ],
    [
      'AnalyzeAudio',
      'AUTHENTICATION',
      'FRAUD',
      'FRAUDSTER_INDICATION',
      'This is clearly someone else’s voice',
    ],
  ])('%s as %s, %s for %s: %s', (operation, factor, decision, reason, shown) => {
    const detail = { factor, decision, reason, netSpeechMs: 4000 };
    expect(itemsOf(operation, detail)['Reason']).toBe(shown);
    expect(checkOf(operation, detail)).toMatchObject({ decision: `DECISION_${decision}`, reason });
  });

  it.each([
    ['synthetic', 'FRAUD', 'SYNTHETIC_SPEECH_DETECTED', 'This sounds computer-generated'],
    ['playback', 'NO_RISK_DETECTED', 'NO_RISK_DETECTED', 'No attack detected in this audio'],
  ])('of an attack by %s, %s for %s: %s', (check, decision, reason, shown) => {
    expect(itemsOf('DetectAudioSpoofing', { check, decision, reason })['Reason']).toBe(shown);
  });

  it('says that a lock refused it, and why there is one, without a code', () => {
    const detail = {
      factor: 'AUTHENTICATION',
      decision: 'UNCERTAIN',
      reason: 'PROFILE_LOCKED',
      lockReason: 'OTHER',
      gkMediaSegmentId: '0b7e4c1e-7d0c-4a53-9f1c-0a4c9a2b8c11',
    };
    expect(recordTitle('Verify', detail)).toBe('Verification refused: the voiceprint is locked');
    const items = itemsOf('Verify', detail);
    expect(items).toMatchObject({
      Decision: 'Refused',
      Reason: 'Refused, because the voiceprint is locked',
      'Why it is locked': 'Locked manually',
    });
    expect(Object.keys(items)).toContain('Recording');
    expect(valueWords('lockReason', 'CONSECUTIVE_MISMATCHES')).toBe('Too many failed verifications in a row');
  });

  it('is told from one of anything else', () => {
    expect(recordTitle('Verify', { factor: 'AUTHENTICATION', decision: 'NO_MATCH', reason: 'X' })).toBe(
      'Voice compared with the voiceprint',
    );
    expect(recordTitle('LockVoiceprintProfile', { reason: 'PROFILE_LOCKED' })).toBe('Voiceprint locked');
    expect(checkOf('StopSession', { decision: 'FRAUD', reason: 'FRAUD_RISK' })).toBeUndefined();
  });
});

describe('the page of what a record is about', () => {
  /** Those that the server names have links by their kind. */
  const named = new Set([
    'PERSON_EVENT',
    'DELETE_PERSONAL_DATA_EVENT',
    'FRAUDSTER_EVENT',
    'GROUP_EVENT',
    'WATCHLIST_EVENT',
    'VOICEPRINT_EVENT',
    'FACTORS_AUDIT_INFO_EVENT',
  ]);
  /** Whoever was erased has no page. */
  const gone = new Set(['PERSONAL_DATA_DELETED_EVENT']);
  const operationOf: Readonly<Record<string, string>> = {
    JOBS_EVENT: 'StartBatch',
    WEB_APP_EVENT: 'UpdateWebhook',
  };
  const made = new Set(allIn(sources('biometrics', 'tenants', 'events'), /'([A-Z_]+_EVENT)'/g));

  it.each(recordTypes.filter((type) => made.has(type) && !gone.has(type)))('%s has one', (type) => {
    const place = placeOf({
      type: `RECORD_TYPE_${type}` as RecordTypeJson,
      operation: operationOf[type],
      subject: 'thing',
      gkSessionId: 'call',
    });
    // Some have no writer any more; what the contract only lists needs no page.
    if (!named.has(type) && /CALLER_ID|CONVOPRINT|DEVICEPRINT|TEXT|ASR/.test(type)) return;
    expect([type, named.has(type) || place !== undefined]).toEqual([type, true]);
  });

  it.each([
    ['application', 'a/b', '/applications/a%2Fb'],
    ['user', 'u', '/users'],
    ['site', 's', '/engagement/sites/s'],
    ['agent', 'x', '/engagement?tab=sites'],
    ['token', 't', undefined],
  ])('%s %s of the installation: %s', (type, id, to) => {
    expect(targetPlace(type, id)).toBe(to);
  });
});
