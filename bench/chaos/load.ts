// What clients do while things break: persons, uploads, enrollment, verification, batches, tokens and deletions, in an order that
// the seed decides.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRng, type Rng } from '../../test/support/sounds.js';
import { ChaosClient, NoAnswer, type Targets } from './client.js';
import type { Ledger, PersonEntry, PrintEntry } from './ledger.js';

const voices = ['anna', 'bruno', 'carl', 'dora'];
const UTTERANCES = 3;
const BATCH_LINES = 3;
const REFUSED_PAUSE_MS = 150;

const utterances = voices.map((voice) =>
  Array.from({ length: UTTERANCES }, (_, index) =>
    readFileSync(
      join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'voices', voice, `${index + 1}.opus`),
    ),
  ),
);

export interface LoadOptions {
  server: Targets;
  ledger: Ledger;
  seed: number;
  workers: number;
  stopped: () => boolean;
  /** Between two things that one worker does: a short run need not fill the machine, on which killed servers start again. */
  pauseMs?: number;
}

/** Runs until it is told to stop. What breaks it is told to whoever waits for its end, which may be much later. */
export function runLoad(options: LoadOptions): Promise<unknown> {
  const load = Promise.all(
    Array.from({ length: options.workers }, (_, index) =>
      new Worker(options, index).run(options.stopped, options.pauseMs ?? 0),
    ),
  );
  load.catch(() => undefined);
  return load;
}

class Worker {
  readonly #client: ChaosClient;
  readonly #ledger: Ledger;
  readonly #rng: Rng;
  readonly #name: string;
  readonly #own: PersonEntry[] = [];
  readonly #trained: { print: PrintEntry; voice: readonly Uint8Array[] }[] = [];
  readonly #gone: { profile: string; person: PersonEntry; voice: readonly Uint8Array[] }[] = [];
  #made = 0;

  constructor({ server, ledger, seed }: LoadOptions, index: number) {
    this.#name = `w${index}`;
    this.#client = new ChaosClient(server, ledger, `${seed}-${index}`);
    this.#ledger = ledger;
    this.#rng = createRng(seed * 1000 + index);
  }

  async run(stopped: () => boolean, pauseMs: number): Promise<void> {
    while (!stopped()) {
      if (pauseMs > 0) await sleep(pauseMs);
      try {
        await this.#one();
      } catch (thrown) {
        if (!(thrown instanceof NoAnswer)) throw thrown;
        await sleep(REFUSED_PAUSE_MS);
      }
    }
  }

  async #one(): Promise<void> {
    const kinds: [number, () => Promise<unknown>][] = [
      [40, () => this.#createPerson()],
      [22, () => this.#uploadFor()],
      [6, () => this.#client.inOwnSession(() => this.#enroll())],
      [8, () => this.#client.inOwnSession(() => this.#verify())],
      [4, () => this.#client.inOwnSession(() => this.#checkBatch())],
      [8, () => this.#client.newToken()],
      [8, () => this.#deleteMedia()],
      [8, () => this.#erase()],
      [5, () => this.#client.inOwnSession(() => this.#verifyErased())],
    ];
    let at = this.#rng() * kinds.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, work] of kinds) if ((at -= weight) < 0) return void (await work());
  }

  #pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.#rng() * from.length)];
  }

  async #createPerson(): Promise<PersonEntry> {
    this.#made += 1;
    const personId = `${this.#name}-${this.#made}`;
    const note = `note ${Math.floor(this.#rng() * 1e9)}`;
    const { body, requestId } = await this.#client.post('/v1/persons', {
      personId,
      details: { customData: { note } },
    });
    const person: PersonEntry = {
      personId,
      gkPersonId: body.gkPersonId.value,
      note,
      media: [],
      tied: [],
      prints: [],
    };
    this.#ledger.persons.set(person.gkPersonId, person);
    this.#own.push(person);
    this.#ledger.acknowledge('person created', requestId);
    return person;
  }

  async #upload(bytes: Uint8Array, person?: PersonEntry): Promise<string> {
    const { body, requestId } = await this.#client.post('/v1/audios/upload-url', {
      container: 'CONTAINER_WAV',
    });
    this.#ledger.acknowledge('upload address', requestId);
    await this.#client.put(body.mediaUploadUrl, bytes);
    const media = body.gkMediaSegmentId.value as string;
    // Kept for this person before anybody else may choose it.
    person?.media.push(media);
    this.#ledger.media.set(media, { media, sha256: createHash('sha256').update(bytes).digest('hex') });
    this.#ledger.acknowledge('upload');
    return media;
  }

  async #uploadFor(): Promise<void> {
    const size = 2000 + Math.floor(this.#rng() * 60_000);
    const seed = Math.floor(this.#rng() * 255) + 1;
    await this.#upload(Uint8Array.from({ length: size }, (_, at) => (at * seed) & 255));
  }

  /** A person with three utterances and a trained print. */
  async #enroll(): Promise<void> {
    const person = await this.#createPerson();
    const voice = this.#pick(utterances) ?? [];
    const made = await this.#client.post('/v1/voiceprints/profiles', {
      owner: { personId: person.personId, tag: 'main' },
    });
    const profile = made.body.gkVoiceprintProfileId.value as string;
    this.#ledger.acknowledge('print created', made.requestId);
    const print: PrintEntry = { profile, gkPersonId: person.gkPersonId, segments: [], version: 0 };
    this.#ledger.prints.set(profile, print);
    person.prints.push(profile);
    for (const bytes of voice) {
      const media = await this.#upload(bytes, person);
      const processed = await this.#client.post('/v1/audios/process', {
        gkMediaSegmentId: { value: media },
        isForEnrollment: true,
      });
      this.#ledger.acknowledge('audio processed', processed.requestId);
      const { gkProcessedAudioId } = processed.body.result;
      const enrolled = await this.#client.post(`/v1/voiceprints/${profile}/enrollment`, {
        gkProcessedAudioId,
      });
      if (enrolled.body.result.enrolled) {
        print.segments.push(gkProcessedAudioId.value);
        person.tied.push(media);
      }
      this.#ledger.acknowledge('segment enrolled', enrolled.requestId);
    }
    const trained = await this.#client.post(`/v1/voiceprints/${profile}/training`, {});
    this.#ledger.acknowledge('print trained', trained.requestId);
    if (trained.body.result.trainStatus !== 'TRAIN_STATUS_TRAINED') return;
    print.version = trained.body.result.voiceprintDetails.printVersion;
    this.#trained.push({ print, voice });
  }

  async #verify(): Promise<void> {
    const { print, voice } = this.#pick(this.#trained) ?? {};
    const person = print && this.#ledger.persons.get(print.gkPersonId);
    if (!print || !voice || !person) return this.#uploadFor();
    const media = await this.#upload(this.#pick(voice) ?? new Uint8Array(), person);
    const { requestId } = await this.#client.post(`/v1/voiceprints/${print.profile}/verification`, {
      gkMediaSegmentId: { value: media },
    });
    person.tied.push(media);
    this.#ledger.acknowledge('verified', requestId);
  }

  /** Some of these persons have a print, some will be erased before their line has its turn; the recordings are theirs in any case. */
  async #checkBatch(): Promise<void> {
    const lines: { person: PersonEntry; media: string }[] = [];
    for (let n = 0; n < BATCH_LINES; n++) {
      const { print, voice } = this.#pick(this.#trained) ?? {};
      const enrolled = print && this.#ledger.persons.get(print.gkPersonId);
      const person = n === 0 && enrolled ? enrolled : this.#pick(this.#own);
      if (!person) return this.#uploadFor();
      const speech = this.#pick(voice ?? utterances[0] ?? []) ?? new Uint8Array();
      lines.push({ person, media: await this.#upload(speech, person) });
    }
    const manifest = ['speaker_id,media', ...lines.map(({ person, media }) => `${person.personId},${media}`)];
    const { body, requestId } = await this.#client.post('/v1/batches:check', {
      tag: 'main',
      manifest: manifest.join('\n'),
    });
    for (const { person, media } of lines) person.tied.push(media);
    this.#ledger.batches.set(body.gkJobId, lines.length);
    this.#ledger.acknowledge('batch started', requestId);
  }

  /** A caller who has not heard of the erasure. Whether it was quicker or not: the recording must not stay. */
  async #verifyErased(): Promise<void> {
    const { profile, person, voice } = this.#pick(this.#gone) ?? {};
    if (!profile || !person || !voice) return this.#uploadFor();
    const media = await this.#upload(this.#pick(voice) ?? new Uint8Array(), person);
    this.#ledger.media.delete(media);
    const isGone = await this.#client.postForGone(`/v1/voiceprints/${profile}/verification`, {
      gkMediaSegmentId: { value: media },
    });
    person.tied.push(media);
    this.#ledger.acknowledge(isGone ? 'refused after the erasure' : 'verified during the erasure');
  }

  async #deleteMedia(): Promise<void> {
    const taken = new Set([...this.#ledger.persons.values()].flatMap((person) => person.media));
    const free = [...this.#ledger.media.keys()].filter((media) => !taken.has(media));
    const media = this.#pick(free);
    // Of two workers that choose the same one, one finds it gone.
    if (media === undefined || !this.#ledger.media.delete(media)) return;
    const { requestId } = await this.#client.delete(`/v1/mediasegments/${media}`);
    this.#ledger.deletedMedia.add(media);
    this.#ledger.acknowledge('recording deleted', requestId);
  }

  async #erase(): Promise<void> {
    const at = Math.floor(this.#rng() * this.#own.length);
    const [person] = this.#own.splice(at, 1);
    if (!person) return;
    this.#ledger.forgetPerson(person.gkPersonId);
    const trained = this.#trained.findIndex(({ print }) => print.gkPersonId === person.gkPersonId);
    const [last] = trained >= 0 ? this.#trained.splice(trained, 1) : [];
    const { requestId } = await this.#client.delete(`/v1/persons/${person.gkPersonId}/personal-data`);
    this.#ledger.erased.set(person.gkPersonId, person);
    this.#ledger.acknowledge('erasure', requestId);
    if (last) this.#gone.push({ profile: last.print.profile, person, voice: last.voice });
  }
}
