// The worker thread of the voice engine: loads the models once, then serves files and streams.
import { ArrivingBytes } from '../../voice/audio/arriving-bytes.js';
import { decodeAudio } from '../../voice/audio/decode-audio.js';
import { encodeWav } from '../../voice/audio/encode-wav.js';
import type { Check } from '../../voice/check.js';
import type {
  HearWordsOptions,
  InspectOptions,
  PlayableAudio,
  PlayOptions,
  ProcessOptions,
  StreamOptions,
} from '../../voice/engine.js';
import { AudioStream } from '../audio-stream.js';
import { HeardAnswer } from '../hear-words.js';
import { AudioInspection } from '../inspect-audio.js';
import { loadModels } from '../models/load-models.js';
import type { ModelFolders } from '../models/load-models.js';
import { FileListening, processAudio } from '../process-audio.js';
import type { FileStep } from '../process-audio.js';
import { serveJobs, type Handler } from './worker-host.js';

/**
 * Streams and files that are processed in steps have a number, under which the worker keeps them between
 * jobs.
 */
export type EngineRequest =
  | { do: 'process'; bytes: Uint8Array; options: ProcessOptions }
  | { do: 'inspect'; bytes: Uint8Array; options: InspectOptions }
  | { do: 'words'; bytes: Uint8Array; options: HearWordsOptions }
  | { do: 'play'; bytes: Uint8Array; options: PlayOptions }
  | { do: 'beginFile'; id: number; head: Uint8Array; totalBytes: number; options: ProcessOptions }
  | { do: 'feedFile'; id: number; piece: Uint8Array }
  | { do: 'continueFile'; id: number }
  | { do: 'stopFile'; id: number }
  | { do: 'openStream'; id: number; options: StreamOptions }
  | { do: 'push'; id: number; chunks: Uint8Array[] }
  | { do: 'finish'; id: number }
  | { do: 'forget'; id: number };

/** Work in progress and the memory that it occupies. */
interface Begun {
  readonly heldBytes: number;
}

class PlayableCopy implements Begun {
  readonly #bytes: Uint8Array;
  heldBytes: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.heldBytes = bytes.length;
  }

  async toWav(options: PlayOptions, check: Check): Promise<PlayableAudio> {
    const decoded = await decodeAudio(this.#bytes, options, (part) => {
      this.heldBytes += part.byteLength;
      return check();
    });
    if (!decoded.ok) return { ok: false, reason: decoded.reason };
    return { ok: true, wav: encodeWav(decoded.samples, decoded.sampleRateHz) };
  }
}

/** Everything that jobs have begun, including jobs that yielded. */
class BegunWork {
  readonly #begun = new Set<Begun>();

  get heldBytes(): number {
    let sum = 0;
    for (const what of this.#begun) sum += what.heldBytes;
    return sum;
  }

  async during<B extends Begun, T>(what: B, work: (what: B) => Promise<T>): Promise<T> {
    this.#begun.add(what);
    try {
      return await work(what);
    } finally {
      this.#begun.delete(what);
    }
  }
}

interface HeldFile {
  bytes: ArrivingBytes;
  listening: FileListening;
}

/** Files that are processed in steps, each kept between two of its jobs. */
class SteppedFiles {
  readonly #begun: BegunWork;
  readonly #files = new Map<number, HeldFile>();

  constructor(begun: BegunWork) {
    this.#begun = begun;
  }

  get heldBytes(): number {
    let sum = 0;
    for (const { listening } of this.#files.values()) sum += listening.heldBytes;
    return sum;
  }

  async step(id: number, file: HeldFile, check: Check): Promise<FileStep> {
    this.#files.delete(id);
    const next = await this.#begun.during(file.listening, (listening) => listening.advance(check));
    // Kept only while there is more to do.
    if (!('result' in next)) this.#files.set(id, file);
    return next;
  }

  async feed(id: number, piece: Uint8Array, check: Check): Promise<FileStep> {
    const file = held(this.#files, id);
    file.bytes.add(piece);
    return this.step(id, file, check);
  }

  async continue(id: number, check: Check): Promise<FileStep> {
    return this.step(id, held(this.#files, id), check);
  }

  async stop(id: number, check: Check): Promise<unknown> {
    const { listening } = held(this.#files, id);
    this.#files.delete(id);
    return this.#begun.during(listening, (file) => file.stop(check));
  }

  async forget(id: number): Promise<void> {
    await this.#files.get(id)?.listening.forget();
    this.#files.delete(id);
  }
}

function held<T>(all: Map<number, T>, id: number): T {
  const found = all.get(id);
  if (!found) throw new Error('no such audio is held here');
  return found;
}

await serveJobs(async (settings, inRuntime) => {
  const models = await loadModels(settings as ModelFolders, inRuntime);
  const begun = new BegunWork();
  const files = new SteppedFiles(begun);
  const streams = new Map<number, AudioStream>();
  const heldBytes = (): number => begun.heldBytes + files.heldBytes;
  const handle: Handler = async (message, check) => {
    const request = message as EngineRequest;
    switch (request.do) {
      case 'process':
        return begun.during(new FileListening(models, request.bytes, request.options), (file) =>
          processAudio(file, check),
        );
      case 'inspect':
        return begun.during(new AudioInspection(models, request.bytes, request.options), (inspection) =>
          inspection.result(check),
        );
      case 'words':
        return begun.during(new HeardAnswer(models, request.bytes, request.options), (answer) =>
          answer.result(check),
        );
      case 'play':
        return begun.during(new PlayableCopy(request.bytes), (copy) => copy.toWav(request.options, check));
      case 'beginFile': {
        const bytes = ArrivingBytes.from(request.head, request.totalBytes);
        const listening = new FileListening(models, bytes, request.options);
        return files.step(request.id, { bytes, listening }, check);
      }
      case 'feedFile':
        return files.feed(request.id, request.piece, check);
      case 'continueFile':
        return files.continue(request.id, check);
      case 'stopFile':
        return files.stop(request.id, check);
      case 'openStream':
        streams.set(request.id, await AudioStream.open(models, request.options));
        return undefined;
      case 'push':
        return held(streams, request.id).push(request.chunks, check);
      case 'finish': {
        const stream = held(streams, request.id);
        streams.delete(request.id);
        return stream.finish(check);
      }
      case 'forget': {
        streams.get(request.id)?.forget();
        streams.delete(request.id);
        await files.forget(request.id);
        return undefined;
      }
    }
  };
  return { handle, heldBytes, ...(models.fallback !== undefined && { warning: models.fallback }) };
});
