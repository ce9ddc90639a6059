// @module-tag slow
// The commands that work on the state: bootstrap, migrate, keys, audit. They run in this process, most on SQLite.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completeSetup } from '../../src/auth/users/first-run-setup.js';
import { openAuth } from '../../src/compose/auth.js';
import { bootstrap } from '../../src/compose/bootstrap.js';
import { openStorage } from '../../src/compose/storage.js';
import { loadConfig } from '../../src/config.js';
import { silentLog, systemClock, systemIds } from '../../src/platform.js';
import { openDatabase } from '../../src/storage/database.js';
import { voxgate } from './run-voxgate.js';
import { forEachDatabase } from '../support/database.js';
import { temporaryFolder } from '../support/storage.js';

async function json(home: string, ...args: string[]): Promise<Record<string, unknown>> {
  const { out } = await voxgate(home, ...args, '--json');
  expect(out.trim().split('\n')).toHaveLength(1);
  return JSON.parse(out) as Record<string, unknown>;
}

describe('voxgate bootstrap', () => {
  it('prints what a first client needs, and later the same without secrets', async () => {
    const home = join(temporaryFolder(), 'home');
    const first = await json(home, 'bootstrap');
    expect(first).toEqual({
      admin: { username: 'admin', password: expect.stringMatching(/^\S{16,}$/) },
      scope: { scope_id: 'demo', gk_scope_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      configset_id: 'telephone',
      application: {
        app_id: expect.any(String),
        client_id: expect.any(String),
        client_secret: expect.stringMatching(/^\S{32,}$/),
      },
      urls: {
        http: 'http://127.0.0.1:8080',
        grpc: '127.0.0.1:8081',
        token: 'http://127.0.0.1:8080/oauth2/token',
      },
    });
    const { admin, application, ...same } = first as {
      admin: Record<string, string>;
      application: Record<string, string>;
    };
    const again = await json(home, 'bootstrap');
    expect(again).toEqual({
      ...same,
      admin: { username: admin['username'] },
      application: { app_id: application['app_id'], client_id: application['client_id'] },
    });
    const file = readFileSync(join(home, 'voxgate.db'));
    expect(file.includes(admin['password'] ?? '-')).toBe(false);
    expect(file.includes(application['client_secret'] ?? '-')).toBe(false);
  });

  it('fails with one line and exit code 1 when the state cannot be opened', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'voxgate.db'));
    const { code, err } = await voxgate(home, 'bootstrap');
    expect(code).toBe(1);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});

describe('voxgate setup-link', () => {
  it('prints a new link each time, and none when somebody has a password', async () => {
    const home = join(temporaryFolder(), 'home');
    const config = loadConfig({ env: {}, flags: { home } });
    const storage = await openStorage(config, systemClock);
    const core = { config, clock: systemClock, ids: systemIds, log: silentLog };
    const made = await bootstrap(core, storage, 'by-link');
    await storage.close();
    expect(made.admin).toEqual({
      username: 'admin',
      setup_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/setup\?token=\S{24,}$/),
    });
    const first = await json(home, 'setup-link');
    const second = await json(home, 'setup-link');
    expect(new Set([made.admin.setup_url, first['setup_url'], second['setup_url']]).size).toBe(3);
    const again = await openStorage(config, systemClock);
    const token = new URL(String(second['setup_url'])).searchParams.get('token') ?? '';
    const chosen = { token, password: 'correct horse battery', address: '::1' };
    await completeSetup(await openAuth(core, again), chosen);
    await again.close();
    const { code, err } = await voxgate(home, 'setup-link');
    expect([code, err]).toEqual([1, expect.stringContaining('voxgate user password')]);
  });
});

describe('a first start', () => {
  it('leads to the setup page whether or not anything was prepared, and is followed by either', async () => {
    const home = join(temporaryFolder(), 'home');
    const config = loadConfig({ env: {}, flags: { home } });
    const core = { config, clock: systemClock, ids: systemIds, log: silentLog };
    const link = async (): Promise<string> => {
      const { setup_url: url } = await json(home, 'setup-link');
      return new URL(String(url)).searchParams.get('token') ?? '';
    };
    // As after a plain `serve`: there is nobody yet.
    const token = await link();
    const storage = await openStorage(config, systemClock);
    const auth = await openAuth(core, storage);
    const chosen = { token, password: 'correct horse battery', address: '::1' };
    expect(await completeSetup(auth, chosen)).toEqual({ userName: 'admin' });
    await storage.close();
    const made = (await json(home, 'bootstrap')) as { admin: object; application: { client_id: string } };
    expect(made.admin).toEqual({ username: 'admin' });
    expect(made.application.client_id).not.toBe('');
  });

  it('is still open where a password was made that nobody has replaced', async () => {
    const home = join(temporaryFolder(), 'home');
    expect(await json(home, 'bootstrap')).toMatchObject({ admin: { password: expect.any(String) } });
    expect(await json(home, 'setup-link')).toEqual({ setup_url: expect.stringContaining('/setup?token=') });
    const other = join(temporaryFolder(), 'home');
    const { out } = await voxgate(other, 'bootstrap');
    expect(out).toMatch(/open this link and choose a password:\n +http:\S+\/setup\?token=\S+\n/);
    expect(out).toMatch(/^Administrator +admin$/m);
  });
});

describe('voxgate migrate', () => {
  it('says what it applied, and that there is nothing left to do', async () => {
    const home = temporaryFolder();
    const report = await json(home, 'migrate');
    expect(report).toMatchObject({
      database: 'sqlite',
      from: 0,
      applied: expect.arrayContaining(['0049-baseline']),
    });
    expect(await json(home, 'migrate')).toEqual({ ...report, from: report['to'], applied: [] });
  });
});

describe('voxgate keys', () => {
  it('rotates the master key and data keys, sealing content again, and everything still opens', async () => {
    const home = temporaryFolder();
    const made = await json(home, 'bootstrap');
    const before = readFileSync(join(home, 'master.key'), 'utf8');
    const rotation = await json(home, 'keys', 'rotate-master');
    expect(rotation['masterKeyId']).not.toBe(rotation['previousKeyId']);
    expect(readFileSync(join(home, 'master.key'), 'utf8')).not.toBe(before);
    const data = (await json(home, 'keys', 'rotate-data', '--reseal')) as {
      rotated: { tenantKey: string; version: number }[];
      resealed: number;
    };
    expect(data.rotated).toContainEqual({ tenantKey: 'system', version: 2 });
    expect(data.resealed).toBeGreaterThan(0);
    const listing = await json(home, 'keys', 'list');
    expect(listing).toMatchObject({ masterKeyId: rotation['masterKeyId'] });
    expect(JSON.stringify(listing)).not.toContain(before.trim());
    // The pepper of the client secrets is sealed: opening the authorization server proves that it opens.
    expect(await json(home, 'bootstrap')).toMatchObject({ scope: made['scope'] as object });
  });

  it('refuses a scope that has no key', async () => {
    const { code, err } = await voxgate(temporaryFolder(), 'keys', 'rotate-data', '--tenant', 'nobody');
    expect(code).toBe(1);
    expect(err).toContain('nobody');
  });
});

await forEachDatabase(({ locate, dialect }) => {
  it('says after a rotation of the master key that other nodes need it, where there may be some', async () => {
    const place = await locate();
    const at = ['--database', place.kind === 'sqlite' ? `sqlite:${place.file}` : place.url];
    const home = temporaryFolder();
    expect((await voxgate(home, 'bootstrap', ...at)).code).toBe(0);
    const { code, out } = await voxgate(home, 'keys', 'rotate-master', ...at);
    expect([code, out.includes('Other nodes')]).toEqual([0, dialect === 'postgres']);
  });
});

describe('voxgate audit verify', () => {
  it('passes on an untouched trail, and names the first record that was changed', async () => {
    const home = temporaryFolder();
    const { scope } = (await json(home, 'bootstrap')) as { scope: { gk_scope_id: string } };
    const whole = (await json(home, 'audit', 'verify')) as {
      ok: boolean;
      chains: { chain: string; head: { seq: number; hash: string } }[];
    };
    expect(whole.ok).toBe(true);
    const head = whole.chains.find((chain) => chain.chain === scope.gk_scope_id)?.head;
    const noted = ['audit', 'verify', '--scope', scope.gk_scope_id, '--head', `${head?.seq}:${head?.hash}`];
    expect((await voxgate(home, ...noted)).code).toBe(0);

    const database = openDatabase({ kind: 'sqlite', file: join(home, 'voxgate.db') });
    await database.db
      .updateTable('audit_records')
      .set({ actor_subject: 'nobody' })
      .where('scope_key', '=', scope.gk_scope_id)
      .where('seq', '=', 2)
      .execute();
    await database.close();
    const { code, out } = await voxgate(home, 'audit', 'verify', '--json');
    expect(code).toBe(1);
    const report = JSON.parse(out) as { chains: object[] };
    expect(report).toMatchObject({ ok: false });
    expect(report.chains).toContainEqual(
      expect.objectContaining({
        chain: scope.gk_scope_id,
        ok: false,
        broken: expect.objectContaining({ seq: 2 }),
      }),
    );
    expect(report.chains).toContainEqual(expect.objectContaining({ chain: 'system', ok: true }));
  });
});

describe('voxgate audit --tenant', () => {
  it('takes both IDs of a tenant, and refuses what no tenant is called', async () => {
    const home = temporaryFolder();
    const { scope } = (await json(home, 'bootstrap')) as { scope: { scope_id: string; gk_scope_id: string } };
    const own = await json(home, 'audit', 'verify', '--tenant', scope.scope_id);
    expect(own).toEqual(await json(home, 'audit', 'verify', '--tenant', scope.gk_scope_id));
    expect(own).toMatchObject({ chains: [{ chain: scope.gk_scope_id }] });
    const listed = await json(home, 'audit', 'list', '--tenant', scope.scope_id);
    expect(listed['records']).not.toEqual([]);
    expect((await voxgate(home, 'audit', 'verify', '--tenant', 'system')).code).toBe(0);
    for (const command of ['verify', 'list']) {
      const { code, err } = await voxgate(home, 'audit', command, '--tenant', 'nosuch');
      expect([code, err]).toEqual([1, expect.stringContaining('there is no tenant `nosuch`')]);
    }
  });
});

describe('voxgate model callers', () => {
  it('says in one line why it may not, and where that is set', async () => {
    const home = join(temporaryFolder(), 'home');
    const { scope } = (await json(home, 'bootstrap')) as { scope: { gk_scope_id: string } };
    const refused = await voxgate(home, 'model', 'callers', '--tenant', scope.gk_scope_id);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('calibration.useCallers');
    const wrong = await voxgate(home, 'model', 'callers', '--tenant', scope.gk_scope_id, '--days', '0');
    expect(wrong.err).toContain('--days');
  });
});

describe('voxgate model tenant-threshold', () => {
  it('says why it may not, what is missing, and how to go back from a revision', async () => {
    const home = join(temporaryFolder(), 'home');
    const { scope } = (await json(home, 'bootstrap')) as { scope: { gk_scope_id: string } };
    const tenant = ['--tenant', scope.gk_scope_id];
    const refused = await voxgate(home, 'model', 'tenant-threshold', ...tenant);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('calibration.useCallers');
    const wrong = await voxgate(home, 'model', 'tenant-threshold', ...tenant, '--per-caller', 'many');
    expect(wrong.err).toContain('--per-caller must be a number above 0');
    const unknown = await voxgate(home, 'model', 'tenant-threshold', ...tenant, '--use', 'nothing');
    expect(unknown.code).toBe(1);
    expect(unknown.err).toContain('config set revision');
  });
});

describe('voxgate model thresholds', () => {
  it('puts a document to use and goes back to the shipped thresholds', async () => {
    const home = join(temporaryFolder(), 'home');
    const { scope } = (await json(home, 'bootstrap')) as { scope: { gk_scope_id: string } };
    const tenant = ['--tenant', scope.gk_scope_id];
    const shipped = (await json(home, 'model', 'thresholds', ...tenant)) as {
      model: string;
      in_use: { thresholds: { far: number; llr: number }[] };
    };
    expect(shipped).toMatchObject({ in_use: { name: 'factory' }, kept: [] });
    const document = join(home, 'calibration.json');
    const thresholds = [
      { far: 0.01, llr: 1.25 },
      { far: 0.001, llr: 3.5 },
    ];
    writeFileSync(document, JSON.stringify({ model: shipped.model, thresholds }));
    const used = (await json(home, 'model', 'thresholds', ...tenant, '--use', document)) as {
      kept: { gk_calibration_model_revision_id: string }[];
    };
    const before = shipped.in_use.thresholds;
    expect(used).toMatchObject({
      moved: thresholds.map(({ far, llr }) => ({
        far,
        llr_before: before.find((one) => one.far === far)?.llr,
        llr,
      })),
      in_use: { name: 'own-recordings', thresholds },
      kept: [{ state: 'ACTIVE', description: 'From calibration.json', thresholds }],
    });
    expect(await json(home, 'model', 'thresholds', ...tenant, '--shipped')).toMatchObject({
      in_use: shipped['in_use'],
      kept: [{ state: 'INACTIVE' }],
    });
    const revision = used.kept[0]?.gk_calibration_model_revision_id ?? '';
    const { out } = await voxgate(home, 'model', 'thresholds', ...tenant, '--use', revision);
    expect(out).toMatch(/^in use {3}own-recordings, .*\n {9}1%: LLR 1\.25, 0\.1%: LLR 3\.50/m);
    expect(out).toMatch(/^moved {4}1%: LLR [\d.]+ to 1\.25, laxer/m);
    const audit = await voxgate(home, 'audit', 'list', ...tenant);
    for (const operation of ['Create', 'Activate', 'Deactivate'])
      expect(audit.out).toContain(`${operation}CalibrationModel`);
  });

  it('refuses what cannot be put to use, and keeps nothing of it', async () => {
    const home = join(temporaryFolder(), 'home');
    const { scope } = (await json(home, 'bootstrap')) as { scope: { gk_scope_id: string } };
    const tenant = ['--tenant', scope.gk_scope_id];
    const file = join(home, 'own.json');
    for (const [content, flags, why] of [
      ['{"thresholds": 3}', ['--use', file], 'content.thresholds must be 1 to 50 entries'],
      [
        '{"thresholds": [{"far": 0.01, "llr": 1}]}',
        ['--use', file, '--name', 'factory'],
        'comes with the model',
      ],
      [
        '{"model": "another-1", "thresholds": [{"far": 0.01, "llr": 1}]}',
        ['--use', file, '--any-model'],
        'content.model was made for another-1',
      ],
      ['{"thresholds": [{"far": 0.01, "llr": 1}]}', ['--use', file], 'add --any-model'],
      ['', ['--use', 'nowhere.json'], 'nowhere.json: neither a file nor a kept revision'],
      ['', ['--use', file, '--shipped'], 'contradict'],
    ] as const) {
      writeFileSync(file, content);
      const refused = await voxgate(home, 'model', 'thresholds', ...tenant, ...flags);
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(why)]);
    }
    expect(await json(home, 'model', 'thresholds', ...tenant)).toMatchObject({ kept: [] });
    writeFileSync(file, '{"thresholds": [{"far": 0.01, "llr": 1}]}');
    expect(await json(home, 'model', 'thresholds', ...tenant, '--use', file, '--any-model')).toMatchObject({
      in_use: { thresholds: [{ far: 0.01, llr: 1 }] },
    });
  });
});
