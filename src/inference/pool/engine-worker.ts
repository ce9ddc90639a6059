// The worker thread of the voice engine: loads the models once, then serves files and streams.
import { ArrivingBytes } from '../../voice/audio/arriving-bytes.js';
import { decodeAudio } from '../../voice/audio/decode-audio.js';
import { encodeWav } from '../../voice/audio/encode-wav.js';
import type { Check } from '../../voice/check.js';
import type {
  InspectOptions,
  PlayableAudio,
  PlayOptions,
  ProcessOptions,
  StreamOptions,
} from '../../voice/engine.js';
import { AudioStream } from '../audio-stream.js';
import { AudioInspection } from '../inspect-audio.js';
import { loadModels } from '../models/load-models.js';
import type { ModelFolders } from '../models/load-models.js';
import { FileListening, processAudio } from '../process-audio.js';
import type { FileStep } from '../process-audio.js';
import { serveJobs, type Handler } from './worker-host.js';

/** Files in steps and streams have a number, under which the worker keeps them between jobs. */
export type EngineRequest =
  | { do: 'process'; bytes: Uint8Array; options: ProcessOptions }
  | { do: 'inspect'; bytes: Uint8Array; options: InspectOptions }
  | { do: 'play'; bytes: Uint8Array; options: PlayOptions }
  | { do: 'beginFile'; id: number; head: Uint8Array; totalBytes: number; options: ProcessOptions }
  | { do: 'feedFile'; id: number; piece: Uint8Array }
  | { do: 'continueFile'; id: number }
  | { do: 'stopFile'; id: number }
  | { do: 'openStream'; id: number; options: StreamOptions }
  | { do: 'push'; id: number; chunks: Uint8Array[] }
  | { do: 'finish'; id: number }
  | { do: 'forget'; id: number };

/** What a job has begun, by the memory that it occupies. */
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

interface HeldFile {
  bytes: ArrivingBytes;
  listening: FileListening;
}

function held<T>(all: Map<number, T>, id: number): T {
  const found = all.get(id);
  if (!found) throw new Error('no such audio is held here');
  return found;
}

await serveJobs(async (settings, inRuntime) => {
  const models = await loadModels(settings as ModelFolders, inRuntime);
  const files = new Map<number, HeldFile>();
  const streams = new Map<number, AudioStream>();
  /** What jobs have begun, those that gave way included; files between two of their jobs are in `files`. */
  const begun = new Set<Begun>();
  const during = async <B extends Begun, T>(what: B, work: (what: B) => Promise<T>): Promise<T> => {
    begun.add(what);
    try {
      return await work(what);
    } finally {
      begun.delete(what);
    }
  };
  const step = async (id: number, file: HeldFile, check: Check): Promise<FileStep> => {
    files.delete(id);
    const next = await during(file.listening, (listening) => listening.advance(check));
    // Kept only while there is something to go on with.
    if (!('result' in next)) files.set(id, file);
    return next;
  };
  const heldBytes = (): number => {
    let sum = 0;
    for (const what of begun) sum += what.heldBytes;
    for (const { listening } of files.values()) sum += listening.heldBytes;
    return sum;
  };
  const handle: Handler = async (message, check) => {
    const request = message as EngineRequest;
    switch (request.do) {
      case 'process':
        return during(new FileListening(models, request.bytes, request.options), (file) =>
          processAudio(file, check),
        );
      case 'inspect':
        return during(new AudioInspection(models, request.bytes, request.options), (inspection) =>
          inspection.result(check),
        );
      case 'play':
        return during(new PlayableCopy(request.bytes), (copy) => copy.toWav(request.options, check));
      case 'beginFile': {
        const bytes = ArrivingBytes.from(request.head, request.totalBytes);
        const listening = new FileListening(models, bytes, request.options);
        return step(request.id, { bytes, listening }, check);
      }
      case 'feedFile': {
        const file = held(files, request.id);
        file.bytes.add(request.piece);
        return step(request.id, file, check);
      }
      case 'continueFile':
        return step(request.id, held(files, request.id), check);
      case 'stopFile': {
        const { listening } = held(files, request.id);
        files.delete(request.id);
        return during(listening, (file) => file.stop(check));
      }
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
        await files.get(request.id)?.listening.forget();
        files.delete(request.id);
        return undefined;
      }
    }
  };
  return { handle, heldBytes, ...(models.fallback !== undefined && { warning: models.fallback }) };
});
