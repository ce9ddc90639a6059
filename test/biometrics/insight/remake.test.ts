// `voxgate templates remake` after a change of the speaker model: the next revision is the bundled model under
// another name. What was remade belongs to it, and the model before it refuses to compare.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildProgram } from '../../../src/cli/index.js';
import { loadConfig } from '../../../src/config.js';
import { bundledModelsDir, findModels } from '../../../src/inference/engine.js';
import { startTestServer } from '../../support/server.js';
import { temporaryFolder } from '../../support/storage.js';
import { Platform, utterance } from '../support.js';

function nextModels(): string {
  const folder = join(temporaryFolder(), 'models');
  const { speaker } = findModels({ modelsDir: bundledModelsDir() });
  const copy = join(folder, 'speaker-next-r9');
  mkdirSync(folder);
  cpSync(speaker, copy, { recursive: true });
  const file = join(copy, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...manifest, name: 'next', revision: 'r9' }));
  return folder;
}

it('makes prints usable with the new model', { timeout: 300_000 }, async () => {
  const home = join(temporaryFolder(), 'home');
  const modelsDir = nextModels();
  const before = await Platform.start({ config: { home } });
  const { profile } = await before.printOf('anna');
  await before.stop();
  const { gkScopeId } = before;

  const remake = async (scope: string) => {
    const outcome = { code: 0, out: '', err: '' };
    const program = await buildProgram({
      out: (text) => void (outcome.out += text),
      err: (text) => void (outcome.err += text),
      exit: (code) => void (outcome.code = code),
      loadConfig: (flags, settings = {}) => loadConfig({ env: {}, flags: { ...settings, home: flags.home } }),
    });
    const flags = ['--tenant', scope, '--home', home, '--models', modelsDir, '--workers', '1', '--json'];
    await program.parseAsync(['node', 'voxgate', 'templates', 'remake', ...flags]);
    return { ...outcome, report: JSON.parse(outcome.out) };
  };
  const first = await remake(gkScopeId);
  expect(first.report).toMatchObject({ model: 'next-r9', prints: 1, remade: 1, upToDate: 0, failed: 0 });
  expect([first.code, first.err]).toEqual([0, expect.stringContaining('prints 1/1')]);
  expect((await remake(gkScopeId)).report).toMatchObject({ prints: 1, remade: 0, upToDate: 1 });
  expect((await remake('no-such-scope')).code).toBe(1);

  // The bundled model meets a print of the next one: it says so instead of comparing.
  const server = await startTestServer({
    config: { home, 'engine.workers': 1, 'engine.renewPrints': false },
  });
  const session = await server.rest('POST', '/v1/sessions/start', {
    body: { context: { gkScopeId: { value: gkScopeId }, configsetId: 'calls' }, sessionType: 2 },
  });
  const context = {
    gkScopeId: { value: gkScopeId },
    configsetId: 'calls',
    gkSessionId: session.body.gkSessionId,
    gkEngagementId: session.body.gkEngagementId,
  };
  const audio = Buffer.from(utterance('anna', 4)).toString('base64');
  const { body } = await server.rest('POST', '/v1/x/audios', { body: { context, audio } });
  const verified = await server.rest('POST', `/v1/voiceprints/${profile}/verification`, {
    body: { context, gkMediaSegmentId: body.gkMediaSegmentId },
  });
  expect(verified.status).toBe(400);
  expect(JSON.stringify(verified.body)).toContain('next-r9');
  await server.stop();
});
