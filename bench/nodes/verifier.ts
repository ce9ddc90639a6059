// A client that verifies one voice again and again, as a contact center does: an address, an upload, a verification, each at the
// next node in turn.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Targets } from '../chaos/client.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */

const voice = (index: number, name = 'anna'): Uint8Array =>
  readFileSync(join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'voices', name, `${index}.opus`));

export class Verifier {
  readonly #targets: Targets;
  #token = '';
  #context: object = {};
  calls = 0;
  readonly verifyMs: number[] = [];

  constructor(targets: Targets) {
    this.#targets = targets;
  }

  async open(): Promise<void> {
    const target = this.#targets.target;
    if (!target) throw new Error('no node is there');
    const basic = Buffer.from(`${target.clientId}:${target.clientSecret}`).toString('base64');
    const grant = await fetch(`${target.http}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'biosec' }),
    });
    this.#token = ((await grant.json()) as { access_token: string }).access_token;
    this.#context = { gkScopeId: { value: target.tenantId }, configsetId: target.configsetId };
    const { gkSessionId, gkEngagementId } = await this.post('/v1/sessions/start', { sessionType: 2 });
    this.#context = { ...this.#context, gkSessionId, gkEngagementId };
  }

  /** A trained print; answers its profile. */
  async enroll(personId: string): Promise<string> {
    const { gkVoiceprintProfileId } = await this.post('/v1/voiceprints/profiles', {
      owner: { personId, tag: 'main' },
    });
    const profile = gkVoiceprintProfileId.value as string;
    for (const index of [1, 2, 3]) {
      const gkMediaSegmentId = await this.#upload(voice(index));
      const { result } = await this.post('/v1/audios/process', { gkMediaSegmentId, isForEnrollment: true });
      await this.post(`/v1/voiceprints/${profile}/enrollment`, {
        gkProcessedAudioId: result.gkProcessedAudioId,
      });
    }
    await this.post(`/v1/voiceprints/${profile}/training`, {});
    return profile;
  }

  /** What was measured so far does not count. */
  forget(): void {
    this.calls = 0;
    this.verifyMs.length = 0;
  }

  async verify(profile: string): Promise<void> {
    const gkMediaSegmentId = await this.#upload(voice(4));
    const startedAt = performance.now();
    await this.post(`/v1/voiceprints/${profile}/verification`, { gkMediaSegmentId });
    this.verifyMs.push(performance.now() - startedAt);
  }

  /** A recording of a voice that was processed, for whatever asks about it next. */
  async process(name: string): Promise<{ gkProcessedAudioId: object }> {
    const gkMediaSegmentId = await this.#upload(voice(4, name));
    const { result } = await this.post('/v1/audios/process', { gkMediaSegmentId });
    return { gkProcessedAudioId: result.gkProcessedAudioId };
  }

  async #upload(bytes: Uint8Array): Promise<object> {
    const { mediaUploadUrl, gkMediaSegmentId } = await this.post('/v1/audios/upload-url', {
      container: 'CONTAINER_WAV',
    });
    const { pathname, search } = new URL(mediaUploadUrl as string);
    await this.#send(`${pathname}${search}`, { method: 'PUT', body: new Uint8Array(bytes) });
    return gkMediaSegmentId;
  }

  async post(path: string, body: object): Promise<any> {
    const answer = await this.#send(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ context: this.#context, ...body }),
    });
    return answer.json();
  }

  async #send(path: string, options: RequestInit): Promise<Response> {
    this.calls += 1;
    const answer = await fetch(`${this.#targets.target?.http}${path}`, options);
    if (!answer.ok)
      throw Object.assign(new Error(`${path}: ${answer.status} ${await answer.text()}`), {
        status: answer.status,
      });
    return answer;
  }
}
