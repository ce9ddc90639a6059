// The lists of the console over a full tenant: the first page, the last page, an order and a search, as the API answers
// them. What is measured is a real server in a process of its own; persons and sessions are put into its database.
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Decision } from '../src/biometrics/model/outcome.js';
import { LIVE_OPERATION, type Factor, type Session } from '../src/biometrics/model/sessions.js';
import type { BiometricsTransaction } from '../src/biometrics/ports/store.js';
import { systemClock } from '../src/platform.js';
import { createBiometricsStore } from '../src/storage/biometrics/store.js';
import { openStorage } from '../src/storage/open-storage.js';
import type { Keyring, TenantSealer } from '../src/storage/sealing/keyring.js';
import { startPostgres, stopPostgres } from '../test/support/postgres-server.js';
import { oneWorker } from '../test/support/served-program.js';
import { median, wanted, type BenchLine, type BenchOptions, type BenchReport } from './harness.js';
import { accepted, BenchPlatform } from './service-platform.js';

const PERSONS = 100_000;
const PERSONS_TINY = 300;
const FIRST_PAGE_MS_MAX = 300;
/** In one transaction: the server, which assesses meanwhile, waits for the lock no longer than this takes. */
const BATCH = 1000;
const PRINTS_AT_ONCE = 500;
const ROUNDS = 11;
const ROUNDS_TINY = 3;
/** Between looks at whether all are assessed. */
const LOOK_MS = 200;
const STARTED_AT_MS = Date.UTC(2026, 0, 1);

const firstNames = ['Anna', 'Bruno', 'Chloé', 'Dörte', 'Emil', 'Frida', 'Søren', 'Zoë'];
const lastNames = ['Keller', 'Rossi', 'Müller', 'Lindqvist', 'Novák', 'Weiß', 'García'];

const noDetails = {
  dnis: '',
  agentId: '',
  agentExtension: '',
  isSuspicious: false,
  suspiciousReason: '',
  wasAbandon: false,
  businessType: '',
  datacenter: '',
  customData: {},
};

/** Nothing is open. */
const allChecked = [
  ['AUTHENTICATION', 'AUTHENTIC', 'AnalyzeAudio'],
  ['FRAUD_DETECTION', 'NO_RISK_DETECTED', 'AnalyzeAudio'],
  ['SYNTHETIC_SPEECH', 'NO_RISK_DETECTED', 'AnalyzeAudio'],
  ['CHANNEL_PLAYBACK', 'NO_RISK_DETECTED', 'AnalyzeAudio'],
] as const;

/**
 * What was checked in the calls, by their last digit: an attack check that could not decide, another voice beside the one that was
 * verified, calls that were listened to live until they were decided, and some in which nothing is open.
 */
const madeIn: Readonly<Record<number, readonly (readonly [Factor['kind'], Decision, string])[]>> = {
  2: allChecked,
  3: [
    ['AUTHENTICATION', 'AUTHENTIC', 'AnalyzeAudio'],
    ['SYNTHETIC_SPEECH', 'UNCERTAIN', 'AnalyzeAudio'],
  ],
  5: [
    ['AUTHENTICATION', 'NO_MATCH', 'Verify'],
    ['AUTHENTICATION', 'AUTHENTIC', 'Verify'],
  ],
  6: [
    ['AUTHENTICATION', 'UNCERTAIN', LIVE_OPERATION],
    ['AUTHENTICATION', 'AUTHENTIC', LIVE_OPERATION],
  ],
  8: allChecked,
};
const factorsOf = (index: number) => madeIn[index % 10] ?? [];

/** The same one every time, in the form of an identifier of the system. */
function idOf(kind: string, index: number): string {
  const hex = createHash('sha256').update(`${kind} ${index}`).digest('hex');
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Looks the tenant's key up once instead of with every row: that is most of what filling takes. */
export function withOneSealer(keyring: Keyring, sealer: TenantSealer): Keyring {
  return Object.assign(Object.create(keyring) as Keyring, { forTenant: async () => sealer });
}

/** Answers how long the server then needed to assess them. */
async function fill(platform: BenchPlatform, count: number, databaseUrl: string): Promise<number> {
  const { gkScopeId, configsetId, home } = platform;
  const storage = await openStorage({ home, databaseUrl, masterKey: '', clock: systemClock });
  const sealer = await storage.keyring.forTenant(storage.database.db, gkScopeId);
  const store = createBiometricsStore(
    storage.database,
    withOneSealer(storage.keyring, sealer),
    storage.audit,
  );
  await insertPrints(storage.database, gkScopeId, count);
  for (let first = 0; first < count; first += BATCH) {
    await store.transaction(async (repositories) => {
      for (let index = first; index < Math.min(first + BATCH, count); index++)
        await insertCaller(repositories, { gkScopeId, configsetId }, index);
    });
  }
  const filledAtMs = performance.now();
  while ((await store.read.assessments.countUnassessed()) > 0) await pause(LOOK_MS);
  // A database in use does that by itself; the one of the benches has it switched off.
  if (databaseUrl !== '') await sql`analyze`.execute(storage.database.db);
  await storage.close();
  return (performance.now() - filledAtMs) / 1000;
}

/** A person, and a call of theirs with its checks. */
async function insertCaller(
  { parties, sessions, factors }: BiometricsTransaction,
  tenant: { gkScopeId: string; configsetId: string },
  index: number,
): Promise<void> {
  const { gkScopeId } = tenant;
  const atMs = STARTED_AT_MS + index * 60_000;
  await parties.insert({
    kind: 'PERSON',
    gkId: idOf('person', index),
    gkScopeId,
    externalId: `${index % 2 === 0 ? 'Customer' : 'customer'}-${String(index * 7919).padStart(9, '0')}`,
    details: {
      firstName: firstNames[index % firstNames.length] as string,
      lastName: `${lastNames[index % lastNames.length] as string}-${index}`,
      preferredLanguage: '',
      phoneNumbers: [],
      customData: {},
    },
    createdAtMs: atMs,
    modifiedAtMs: atMs,
  });
  await sessions.insert(sessionOf(tenant, index));
  for (const [at, [kind, decision, operation]] of factorsOf(index).entries())
    await factors.insert({
      factorId: idOf(`factor ${at}`, index),
      gkScopeId,
      gkEngagementId: idOf('engagement', index),
      gkSessionId: idOf('session', index),
      kind,
      operation,
      decision,
      reason: '',
      netSpeechMs: 5000,
      ...(kind === 'AUTHENTICATION' && { gkVoiceprintProfileId: idOf('print', index) }),
      configsetRevisionId: '',
      calibrationRevisionId: '',
      createdAtMs: atMs + at,
    });
}

function sessionOf(
  { gkScopeId, configsetId }: { gkScopeId: string; configsetId: string },
  index: number,
): Session {
  const atMs = STARTED_AT_MS + index * 60_000;
  return {
    gkSessionId: idOf('session', index),
    gkScopeId,
    gkEngagementId: idOf('engagement', index),
    sessionType: 'CALL_CENTER',
    isTest: false,
    isActive: false,
    claimedGkPersonId: idOf('person', index),
    configsetId,
    details: { ...noDetails, sessionId: `call-${index}`, ani: `+4930${String(1_000_000 + index)}` },
    createdAtMs: atMs,
    completedAtMs: atMs,
    // One of them all, and not among the newest.
    ...(index === 7 && { decision: { decision: 'FRAUD', reason: 'FRAUD_RISK' } }),
    ...(factorsOf(index).length > 0 && { decision: { decision: 'AUTHENTIC', reason: 'AUTHENTIC' } }),
    modifiedAtMs: atMs,
    lastActivityAtMs: atMs,
  };
}

/** Whose voiceprint it was: of the person claimed. */
async function insertPrints(
  { db }: Awaited<ReturnType<typeof openStorage>>['database'],
  gkScopeId: string,
  count: number,
): Promise<void> {
  for (let first = 0; first < count; first += PRINTS_AT_ONCE) {
    const values = Array.from({ length: Math.min(PRINTS_AT_ONCE, count - first) }, (_, at) => ({
      gk_voiceprint_profile_id: idOf('print', first + at),
      gk_scope_id: gkScopeId,
      gk_person_id: idOf('person', first + at),
    }));
    await db.insertInto('former_prints').values(values).execute();
  }
}

/** The last days in which there were calls. */
function spanOf(count: number, days: number): string {
  const endMs = STARTED_AT_MS + count * 60_000;
  const at = (ms: number): string => new Date(ms).toISOString();
  return `startTime=${at(endMs - days * 86_400_000)}&endTime=${at(endMs)}`;
}

/** Filters by what sessions mean, together with others. */
function combined(sessions: string): [subject: string, path: string][] {
  return [
    [
      'sessions, with two caveats',
      `${sessions}?caveat=SESSION_CAVEAT_ATTACK_CHECK_MISSING&caveat=SESSION_CAVEAT_CONTRADICTION`,
    ],
    [
      'sessions, with a headline and a caveat that none has',
      `${sessions}?headline=SESSION_HEADLINE_AUTHENTIC&caveat=SESSION_CAVEAT_OUTCOME_DISAGREES`,
    ],
    [
      'sessions, with a caveat, by decision',
      `${sessions}?caveat=SESSION_CAVEAT_ATTACK_CHECK_MISSING&order=LIST_ORDER_DECISION`,
    ],
    [
      'sessions, with a caveat and a search',
      `${sessions}?caveat=SESSION_CAVEAT_ATTACK_CHECK_MISSING&query=muller`,
    ],
    [
      'sessions, with a caveat, oldest first',
      `${sessions}?caveat=SESSION_CAVEAT_ATTACK_CHECK_UNRESOLVED&order=LIST_ORDER_OLDEST_FIRST`,
    ],
  ];
}

/** What people look at; each has to be there in time. */
function lists(count: number): [subject: string, path: string][] {
  const sessions = '/v1/x/sessions';
  const persons = '/v1/x/persons';
  return [
    ['persons, first page', persons],
    ['persons, first page by identifier', `${persons}?order=LIST_ORDER_IDENTIFIER`],
    ['persons, oldest first', `${persons}?order=LIST_ORDER_OLDEST_FIRST`],
    ['persons, a search that many fit', `${persons}?query=keller`],
    ['persons, a search that one fits', `${persons}?query=novak-${count - 3}`],
    ['sessions, first page', sessions],
    ['sessions, oldest first', `${sessions}?order=LIST_ORDER_OLDEST_FIRST`],
    ['sessions, by number', `${sessions}?order=LIST_ORDER_NUMBER`],
    ['sessions, by person', `${sessions}?order=LIST_ORDER_PERSON`],
    ['sessions, by decision', `${sessions}?order=LIST_ORDER_DECISION`],
    ['sessions, a search that many fit', `${sessions}?query=muller`],
    ['sessions, a number that one has', `${sessions}?query=${1_000_000 + 5}`],
    ['sessions, of one person', `${sessions}?gkPersonId.value=${idOf('person', 5)}`],
    ['sessions, in which a fraudster was found', `${sessions}?gkFraudsterId.value=${idOf('fraudster', 1)}`],
    ['sessions, with a decision that one has', `${sessions}?decision=DECISION_FRAUD`],
    ...(
      [
        'ATTACK_CHECK_UNRESOLVED',
        'CONTRADICTION',
        'ATTACK_CHECK_MISSING',
        'LIST_NOT_FULLY_COMPARED',
        'OTHER_PERSON',
        'SECOND_VOICE',
        'CLAIM_NOT_CONFIRMED',
        'INHERITED',
        'FOUND_LATER',
        'CUT_OFF',
        'DATA_ERASED',
        'OUTCOME_DISAGREES',
      ] as const
    ).map((name): [string, string] => [
      `sessions, with the caveat ${name}`,
      `${sessions}?caveat=SESSION_CAVEAT_${name}`,
    ]),
    ['sessions, with a headline that many have', `${sessions}?headline=SESSION_HEADLINE_AUTHENTIC`],
    ['sessions, with a headline that one has', `${sessions}?headline=SESSION_HEADLINE_FRAUD`],
    ...combined(sessions),
    ['sessions, trials', `${sessions}?isTest=true`],
    ['sessions, without uploads', `${sessions}?withoutUploads=true`],
    ['sessions, still open', `${sessions}?isActive=true`],
    ['sessions, of one day', `${sessions}?startTime=2026-01-02T00:00:00Z&endTime=2026-01-03T00:00:00Z`],
    ['sessions, by case number', `${sessions}?caseNumber=F-1`],
    ['fraudsters, first page', '/v1/x/fraudsters'],
    ['watchlists, first page', '/v1/x/watchlists'],
    ['home, a day by hours', `/v1/x/activity?${spanOf(count, 1)}&step=3600s`],
    ['home, a week by days', `/v1/x/activity?${spanOf(count, 7)}&step=86400s`],
    ['home, a month by days', `/v1/x/activity?${spanOf(count, 30)}&step=86400s`],
    ['audit, first page', '/v1/x/audit/records'],
    ['audit, a word that few have', '/v1/x/audit/records?query=CreateConfigset'],
  ];
}

export async function run({ tiny, postgres = false }: BenchOptions): Promise<BenchReport> {
  const count = tiny ? PERSONS_TINY : PERSONS;
  const rounds = tiny ? ROUNDS_TINY : ROUNDS;
  const running = postgres ? await startPostgres() : undefined;
  const databaseUrl = running?.url ?? '';
  const platform = await BenchPlatform.start({
    ...(running && { VOXGATE_DATABASE: databaseUrl }),
    // No recording is heard here.
    ...oneWorker,
  });
  try {
    const filledFrom = performance.now();
    const assessedSeconds = await fill(platform, count, databaseUrl);
    const details: Record<string, unknown> = { persons: count, sessions: count };
    details['filled in s'] = (performance.now() - filledFrom) / 1000 - assessedSeconds;
    details['assessed since then in s'] = assessedSeconds;
    platform.reconnect();
    await platform.authorize();
    const lines: BenchLine[] = [];
    const memoryBefore = platform.residentMiB();
    // The first search of all opens the rows once; everybody after it finds them open.
    for (const [subject, path] of [
      ['persons, the very first search', '/v1/x/persons?query=keller'],
      ['sessions, the very first search', '/v1/x/sessions?query=keller'],
    ] as const) {
      const answer = await platform.list(path);
      accepted(answer);
      details[subject] = { medianMs: answer.milliseconds };
    }
    details['memory for searching in MiB'] = platform.residentMiB() - memoryBefore;
    for (const [subject, path] of lists(count)) {
      const times: number[] = [];
      const cpuBefore = platform.cpuMs();
      for (let round = 0; round < rounds; round++) {
        const answer = await platform.list(path);
        accepted(answer);
        times.push(answer.milliseconds);
      }
      const medianMs = median(times);
      lines.push(wanted(subject, medianMs, FIRST_PAGE_MS_MAX, 'ms'));
      // What the server itself needed, whatever else the machine was doing.
      details[subject] = { medianMs, cpuMs: (platform.cpuMs() - cpuBefore) / rounds };
    }
    return {
      name: 'lists',
      compared: `lists of a tenant with ${count} persons and as many sessions, over REST, on ${postgres ? 'PostgreSQL' : 'SQLite'}`,
      lines,
      details,
    };
  } finally {
    await platform.stop();
    if (running) await stopPostgres(running.folder);
  }
}
