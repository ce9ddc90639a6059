// Reads the voices of a tenant's stored calls one after another, newest first, if the tenant allows it.
import type { Call } from '../../platform.js';
import type { SpeakerModel } from '../../voice/scoring/speaker-model.js';
import { pauseBetweenSlices } from '../call/pause.js';
import type { CallVoice } from '../ports/call-voices.js';
import type { BiometricsDeps } from '../ports/deps.js';

/** Opened without a pause, so that nobody waits long meanwhile. */
const PAGE_SIZE = 200;

export interface Heard {
  /** Of the speaker model in use. */
  searched: number;
  /** Of another model: these voices cannot be compared. */
  otherModel: number;
  /** Stored, but damaged. */
  unreadable: number;
  /** There are more calls than were examined. */
  isPartial: boolean;
  /**
   * Sessions with a live call, whose voice is not stored. Searches of earlier versions did not count them.
   */
  liveCalls?: number;
}

export const nothingHeard = (): Heard => ({ searched: 0, otherModel: 0, unreadable: 0, isPartial: false });

export interface Span {
  gkScopeId: string;
  model: Pick<SpeakerModel, 'revision'>;
  fromMs: number;
  /** At most this many, the newest. */
  callsMax: number;
  /** Only those that are in no block. */
  isLoose?: boolean;
}

/** Passes on every voice that the model can compare; adds to the earlier counts. */
export async function forEachVoice(
  deps: BiometricsDeps,
  call: Call,
  { gkScopeId, model, fromMs, callsMax, isLoose = false }: Span,
  heard: Heard,
  show: (voice: CallVoice) => void,
): Promise<void> {
  const pause = pauseBetweenSlices(call);
  let after: string | undefined;
  do {
    const { voices, unreadable, next } = await deps.store.read.callVoices.list(
      gkScopeId,
      { fromMs, isLoose },
      { limit: PAGE_SIZE, ...(after && { after }) },
    );
    heard.unreadable += unreadable;
    for (const voice of voices) {
      if (voice.voice.modelRevision !== model.revision) {
        heard.otherModel++;
        continue;
      }
      if (heard.searched >= callsMax) {
        heard.isPartial = true;
        return;
      }
      show(voice);
      heard.searched++;
    }
    await pause();
    after = next;
  } while (after);
}
