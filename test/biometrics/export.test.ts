// The audit trail from outside, after real operations: streamed export over gRPC in its three modes, the
// iterator that goes on later, tenants kept apart, and `voxgate audit verify` on the same state; and the feed of events and webhooks, which
// are made of the same records (feed.ts, webhooks.ts).
import { Client, credentials, type ClientDuplexStream } from '@grpc/grpc-js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/index.js';
import { loadConfig } from '../../src/config.js';
import {
  AuditDataExporter,
  ExportRecordsRequestSchema,
  ExportRecordsResponseSchema,
  ExportRecordsWithPersonalDataRequestSchema,
  ExportRecordsWithPersonalDataResponseSchema,
  RecordType,
  type ExportResponse,
} from '../../src/gen/vendor/biosec/v1/history/history_pb.js';
import { FieldViolation_ViolationType, StatusCode } from '../../src/gen/vendor/rpc/status_pb.js';
import { openDatabase } from '../../src/storage/database.js';
import { callMetadata, deserializerFor, serializerFor, testCaller } from '../support/server.js';
import { describeFeed } from './feed.js';
import { describeWebhooks, webhookSettings } from './webhooks.js';
import { Platform, forEachStore, utterance, type RequestContext } from './support.js';

await forEachStore((store) => {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-export-'));
  let settings: Record<string, unknown>;
  let platform: Platform;
  let context: RequestContext;
  let raw: Client;

  beforeAll(async () => {
    settings = { home, ...webhookSettings, ...(await store.settings()) };
    platform = await Platform.start({
      config: settings,
      callers: { elsewhere: { ...testCaller, subject: 'other-client', tenants: ['another-tenant'] } },
    });
    raw = new Client(platform.server.grpcAddress, credentials.createInsecure());
    const { profile } = await platform.printOf('anna');
    context = await platform.open();
    await platform.verify(context, profile, utterance('anna', 4));
    await platform.verify(context, profile, utterance('bruno', 4));
  });
  afterAll(async () => {
    raw.close();
    await platform.stop();
    rmSync(home, { recursive: true, force: true });
  });

  type Mode = 'masked' | 'encrypted' | 'plain';

  /** One open stream; `ask` gives every page of one request. */
  class Export {
    readonly #mode: Mode;
    readonly #token: string;
    readonly #stream: ClientDuplexStream<object, { exportResponse?: ExportResponse }>;
    #pages: ExportResponse[] = [];
    #done: (pages: ExportResponse[]) => void = () => {};
    readonly ended: Promise<unknown>;

    constructor(mode: Mode, token = 'test-token') {
      this.#mode = mode;
      this.#token = token;
      const personal = mode !== 'masked';
      const method = personal ? 'ExportRecordsWithPersonalData' : 'ExportRecords';
      const request = personal ? ExportRecordsWithPersonalDataRequestSchema : ExportRecordsRequestSchema;
      const response = personal ? ExportRecordsWithPersonalDataResponseSchema : ExportRecordsResponseSchema;
      this.#stream = raw.makeBidiStreamRequest(
        `/${AuditDataExporter.typeName}/${method}`,
        serializerFor(request) as (value: object) => Buffer,
        deserializerFor(response) as (bytes: Buffer) => { exportResponse?: ExportResponse },
        callMetadata({ token: this.#token }),
      );
      this.ended = new Promise((resolve) => this.#stream.on('status', resolve));
      this.#stream.on('error', () => {});
      this.#stream.on('data', ({ exportResponse }: { exportResponse?: ExportResponse }) => {
        if (!exportResponse) return;
        this.#pages.push(exportResponse);
        if (exportResponse.endOfRecords || exportResponse.status?.statusCode !== StatusCode.OK)
          this.#done(this.#pages.splice(0));
      });
    }

    ask(request: object, gkScopeId = platform.gkScopeId): Promise<ExportResponse[]> {
      return new Promise((resolve) => {
        this.#done = resolve;
        this.#stream.write({
          context: { gkScopeId: { value: gkScopeId } },
          request,
          ...(this.#mode === 'plain' && { decryptPersonalData: true }),
        });
      });
    }

    start(recordType: RecordType): Promise<ExportResponse[]> {
      return this.ask({ case: 'startExport', value: { recordType } });
    }

    resume(iterator: string, gkScopeId?: string): Promise<ExportResponse[]> {
      return this.ask({ case: 'exportIteratorRequest', value: { iterator } }, gkScopeId);
    }

    async end(): Promise<void> {
      this.#stream.end();
      await this.ended;
    }
  }

  const recordsOf = (pages: ExportResponse[]) => pages.flatMap((page) => page.exportRecord);
  const jsonOf = (pages: ExportResponse[]) =>
    recordsOf(pages).map((record) => JSON.parse(record.recordAsJson) as Record<string, unknown>);

  describe('AuditDataExporter', () => {
    it('tells a decision so that it can be replayed: model, calibration, config revision, scores', async () => {
      const stream = new Export('masked');
      const pages = await stream.start(RecordType.FACTORS_AUDIT_INFO_EVENT);
      await stream.end();
      const verifies = jsonOf(pages).filter((record) => record['operation'] === 'Verify');
      expect(verifies.map((record) => (record['detail'] as Record<string, unknown>)['decision'])).toEqual([
        'AUTHENTIC',
        'NO_MATCH',
      ]);
      const revision = expect.stringMatching(/^[0-9a-f-]{36}$/);
      expect(verifies[0]).toMatchObject({
        scope: platform.gkScopeId,
        actor: { subject: testCaller.subject, issuer: testCaller.issuer },
        detail: {
          reason: 'VOICEPRINT_MATCH',
          score: expect.any(Number),
          risk: expect.any(Number),
          reliability: expect.any(Number),
          model: expect.any(String),
          printVersion: 1,
          calibrationRevisionId: revision,
          configsetRevisionId: revision,
        },
      });
      const [record] = recordsOf(pages);
      expect(record?.context).toMatchObject({
        gkScopeId: { value: platform.gkScopeId },
        gkSessionId: context.gkSessionId,
        configsetId: 'calls',
      });
      expect(record?.member).toMatchObject({
        memberId: { case: 'externalId', value: testCaller.subject },
        issuer: testCaller.issuer,
      });
    });

    it('masks personal values, gives them sealed, or opens them, as asked for', async () => {
      const personal: Record<string, unknown> = {};
      for (const mode of ['masked', 'encrypted', 'plain'] as const) {
        const stream = new Export(mode);
        const created = jsonOf(await stream.start(RecordType.PERSON_EVENT)).find(
          (record) => record['operation'] === 'CreatePerson',
        );
        await stream.end();
        personal[mode] = created?.['personal'];
        if (mode !== 'plain') expect(JSON.stringify(created)).not.toContain('"anna"');
      }
      expect(personal).toEqual({
        masked: { masked: true },
        encrypted: { encrypted: expect.stringMatching(/^[A-Za-z0-9+/]{20,}=*$/) },
        plain: { externalId: 'anna' },
      });
    });

    it('goes on where an earlier stream stopped, over pages, without gap or repetition', async () => {
      const first = new Export('masked');
      const before = await first.start(RecordType.PERSON_EVENT);
      await first.end();
      const iterator = before.at(-1)?.iterator ?? '';
      expect(recordsOf(before)).toHaveLength(1);

      const later = new Export('masked');
      expect(await later.resume(iterator)).toMatchObject([{ exportRecord: [], endOfRecords: true }]);

      const many = 210;
      for (let from = 0; from < many; from += 30)
        await Promise.all(
          Array.from({ length: 30 }, (_, index) =>
            platform.createOwner(context, 'person', `p-${from + index}`),
          ),
        );
      const after = await later.resume(iterator);
      await later.end();
      expect(after.length).toBeGreaterThan(1);
      const sequence = jsonOf(after).map((record) => record['seq'] as number);
      expect(new Set(sequence).size).toBe(many);
      expect(sequence).toEqual([...sequence].sort((a, b) => a - b));

      const half = new Export('masked');
      const rest = await half.resume(after[0]?.iterator ?? '');
      await half.end();
      expect(recordsOf(rest)).toHaveLength(many - (after[0]?.exportRecord.length ?? 0));
    });

    it('refuses a scope that is not the caller’s, and an iterator of another scope', async () => {
      const foreign = new Export('masked', 'elsewhere');
      const [refused] = await foreign.start(RecordType.PERSON_EVENT);
      expect(refused).toMatchObject({
        exportRecord: [],
        status: { statusCode: StatusCode.PERMISSION_DENIED },
      });

      const own = new Export('masked');
      const iterator = (await own.start(RecordType.PERSON_EVENT)).at(-1)?.iterator ?? '';
      const other = await Platform.on(platform.server, 'export-elsewhere');
      const [wrong] = await own.resume(iterator, other.gkScopeId);
      expect(wrong).toMatchObject({
        exportRecord: [],
        status: {
          statusCode: StatusCode.INVALID_REQUEST,
          fieldViolations: [{ violation: FieldViolation_ViolationType.INVALID_FORMAT }],
        },
      });
      const [empty] = await new Export('masked').ask({ case: undefined });
      expect(empty?.status?.statusCode).toBe(StatusCode.INVALID_REQUEST);
      expect(empty?.status?.fieldViolations.map(({ field }) => field.split('.').at(-1))).toEqual([
        'start_export',
        'export_iterator_request',
      ]);
    });
  });

  describe('voxgate audit verify', () => {
    interface Chain {
      chain: string;
      ok: boolean;
      records: number;
      broken?: { seq: number };
    }

    async function verifyChains(): Promise<{ code: number; chains: Chain[] }> {
      let code = 0;
      let out = '';
      const program = await buildProgram({
        out: (text) => void (out += text),
        err: (text) => void (out += text),
        exit: (value) => void (code = value),
        loadConfig: (flags, more = {}) =>
          loadConfig({
            env: {},
            flags: { ...more, ...(settings as Record<string, string>), home: flags.home },
          }),
      });
      await program.parseAsync(['node', 'voxgate', 'audit', 'verify', '--json', '--home', home]);
      return { code, chains: JSON.parse(out).chains };
    }
    const ours = (chains: Chain[]) => chains.find((chain) => chain.chain === platform.gkScopeId);

    it('finds the chain of real operations whole, and a changed decision broken', async () => {
      const whole = await verifyChains();
      expect(whole.code).toBe(0);
      expect(ours(whole.chains)).toMatchObject({ ok: true });
      expect(ours(whole.chains)?.records).toBeGreaterThan(10);

      const url = settings['database'] as string | undefined;
      const database = openDatabase(
        url ? { kind: 'postgres', url } : { kind: 'sqlite', file: join(home, 'voxgate.db') },
      );
      const row = await database.db
        .selectFrom('audit_records')
        .select(['seq', 'detail'])
        .where('scope_key', '=', platform.gkScopeId)
        .where('detail', 'like', '%"decision":"NO_MATCH"%')
        .executeTakeFirstOrThrow();
      await database.db
        .updateTable('audit_records')
        .set({ detail: row.detail.replace('NO_MATCH', 'AUTHENTIC') })
        .where('scope_key', '=', platform.gkScopeId)
        .where('seq', '=', row.seq)
        .execute();
      await database.close();
      const broken = await verifyChains();
      expect(broken.code).toBe(1);
      expect(ours(broken.chains)).toMatchObject({ ok: false, broken: { seq: Number(row.seq) } });
    });
  });

  describeFeed(() => ({ platform, context, raw, foreignToken: 'elsewhere' }));
  describeWebhooks(() => ({ platform, context, raw, foreignToken: 'elsewhere' }));
});
