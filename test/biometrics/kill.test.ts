/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// kill -9 in the middle of enrollments: after a restart every acknowledged segment and template is there, and
// no half-written one is.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { utterance } from './support.js';

interface Served {
  process: ChildProcess;
  http: string;
  bootstrap: {
    scope: { gk_scope_id: string };
    configset_id: string;
    application: { client_id: string; client_secret?: string };
  };
}

async function serve(home: string): Promise<Served> {
  const command = [
    '--import',
    'tsx',
    'src/main.ts',
    'serve',
    '--bootstrap',
    '--json',
    '--home',
    home,
    '--http',
    '127.0.0.1:0',
    '--grpc',
    '127.0.0.1:0',
    '--log-level',
    'silent',
  ];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (piece: Buffer) => {
      text += piece.toString();
      if (text.includes('\n')) resolve(text);
    });
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const { http, bootstrap } = JSON.parse(line);
  return { process: child, http, bootstrap };
}

it('keeps what it acknowledged', { timeout: 300_000 }, async () => {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-kill-'));
  let secret = '';
  const acknowledged = new Map<string, string[]>();
  const trained = new Map<string, number>();
  try {
    for (let round = 0; round < 3; round++) {
      const { process: child, http, bootstrap } = await serve(home);
      secret = bootstrap.application.client_secret ?? secret;
      const basic = Buffer.from(`${bootstrap.application.client_id}:${secret}`).toString('base64');
      const token = await fetch(`${http}/oauth2/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'biosec' }),
      });
      const { access_token } = (await token.json()) as { access_token: string };
      const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
      const post = async (path: string, body: object) =>
        (
          await fetch(`${http}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
        ).json() as Promise<any>;
      const scope = {
        gkScopeId: { value: bootstrap.scope.gk_scope_id },
        configsetId: bootstrap.configset_id,
      };
      const session = await post('/v1/sessions/start', { context: scope, sessionType: 2 });
      const context = { ...scope, gkSessionId: session.gkSessionId, gkEngagementId: session.gkEngagementId };

      // What earlier rounds acknowledged is there, whole.
      for (const [profile, segments] of acknowledged) {
        const query = `context.gk_scope_id.value=${bootstrap.scope.gk_scope_id}`;
        const listed = (await (
          await fetch(`${http}/v1/voiceprints/profiles/${profile}/enrollment-segments?${query}`, { headers })
        ).json()) as any;
        const ids = (listed.enrollmentSegmentsDetails ?? []).map(
          (segment: { gkProcessedAudioId: { value: string } }) => segment.gkProcessedAudioId.value,
        );
        expect(ids).toEqual(expect.arrayContaining(segments));
        const version = trained.get(profile);
        if (version !== undefined) {
          const media = await upload(http, context, post, utterance('carl', 4));
          const verified = await post(`/v1/voiceprints/${profile}/verification`, {
            context,
            gkMediaSegmentId: media,
          });
          expect(verified.result.decision).toBe('DECISION_AUTHENTIC');
          expect(verified.result.voiceprintDetails.printVersion).toBeGreaterThanOrEqual(version);
        }
      }

      // Enroll until the blow falls somewhere in between.
      const blow = setTimeout(() => child.kill('SIGKILL'), 1500 + 900 * round);
      const dead = new Promise((resolve) => child.once('exit', resolve));
      const work = async () => {
        for (let person = 0; ; person++) {
          const personId = `r${round}-${person}`;
          await post('/v1/persons', { context, personId });
          const profile = (
            await post('/v1/voiceprints/profiles', { context, owner: { personId, tag: 'main' } })
          ).gkVoiceprintProfileId.value as string;
          acknowledged.set(profile, []);
          for (const index of [1, 2, 3]) {
            const gkMediaSegmentId = await upload(http, context, post, utterance('carl', index));
            const processed = await post('/v1/audios/process', {
              context,
              gkMediaSegmentId,
              isForEnrollment: true,
            });
            const { gkProcessedAudioId } = processed.result;
            const enrolled = await post(`/v1/voiceprints/${profile}/enrollment`, {
              context,
              gkProcessedAudioId,
            });
            if (enrolled.result.enrolled) acknowledged.get(profile)?.push(gkProcessedAudioId.value);
          }
          const result = (await post(`/v1/voiceprints/${profile}/training`, { context })).result;
          if (result.trainStatus === 'TRAIN_STATUS_TRAINED')
            trained.set(profile, result.voiceprintDetails.printVersion);
        }
      };
      await Promise.race([work().catch(() => {}), dead]);
      await dead;
      clearTimeout(blow);
    }
    expect(acknowledged.size).toBeGreaterThan(0);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

async function upload(
  http: string,
  context: object,
  post: (path: string, body: object) => Promise<any>,
  bytes: Uint8Array,
): Promise<object> {
  const { mediaUploadUrl, gkMediaSegmentId } = await post('/v1/audios/upload-url', {
    context,
    container: 'CONTAINER_WAV',
  });
  const url = new URL(mediaUploadUrl);
  await fetch(`${http}${url.pathname}${url.search}`, { method: 'PUT', body: new Uint8Array(bytes) });
  return gkMediaSegmentId;
}
