// Reading the voices of a tenant's stored calls one after another, newest first, where the tenant says that it may.
import { AppError } from '../../errors.js';
import { DAY_MS, type Call } from '../../platform.js';
import type { SpeakerModel } from '../../voice/scoring/speaker-model.js';
import { Faults } from '../call/limits.js';
import { pauseBetweenSlices } from '../call/pause.js';
import { tenantParameters } from '../configsets/tenant-parameters.js';
import type { Parameters } from '../model/parameters.js';
import type { CallVoice } from '../ports/call-voices.js';
import type { BiometricsDeps } from '../ports/deps.js';

/** Opened without a pause, so that nobody waits long meanwhile. */
const PAGE_SIZE = 500;

/** The tenant's parameters, where its config set SCOPE says that there is a legal basis for looking back. */
export async function allowedParameters(deps: BiometricsDeps, gkScopeId: string): Promise<Parameters> {
  const parameters = await tenantParameters(deps, gkScopeId);
  if (parameters.lookBack.hasLegalBasis) return parameters;
  throw new AppError(
    'PERMISSION_DENIED',
    'the config set SCOPE of this tenant does not say that there is a legal basis for searching stored calls (lookBack.hasLegalBasis)',
    { diagnostics: [{ code: 'LOOK_BACK_NOT_ALLOWED' }] },
  );
}

export function dayFaults(days: number): Faults {
  const faults = new Faults();
  if (days >= 0) return faults;
  return faults.add({
    field: 'days',
    violation: 'OUT_OF_RANGE',
    message: 'must not be negative',
    value: String(days),
  });
}

export interface Span {
  fromMs: number;
  /** At most so many, the newest. */
  callsMax: number;
}

/** The time that is looked at: the days asked for, and never more than the tenant allows. */
export const startOf = (nowMs: number, days: number, { lookBack }: Parameters): number =>
  nowMs - Math.min(days || lookBack.days, lookBack.days) * DAY_MS;

export interface Heard {
  /** By the speaker model in use. */
  searched: number;
  /** By another: these voices cannot be compared. */
  otherModel: number;
  /** There are more calls than were looked at. */
  isPartial: boolean;
}

/** Shows every voice that the model can compare; answers how many there were. */
export async function eachVoice(
  deps: BiometricsDeps,
  call: Call,
  gkScopeId: string,
  { model, fromMs, callsMax }: Span & { model: Pick<SpeakerModel, 'revision'> },
  show: (voice: CallVoice) => void,
): Promise<Heard> {
  const pause = pauseBetweenSlices(call);
  const heard: Heard = { searched: 0, otherModel: 0, isPartial: false };
  let after: string | undefined;
  do {
    const { voices, next } = await deps.store.read.callVoices.list(
      gkScopeId,
      { fromMs },
      { limit: PAGE_SIZE, ...(after && { after }) },
    );
    for (const voice of voices) {
      if (voice.voice.modelRevision !== model.revision) {
        heard.otherModel++;
        continue;
      }
      if (heard.searched >= callsMax) return { ...heard, isPartial: true };
      show(voice);
      heard.searched++;
    }
    await pause();
    after = next;
  } while (after);
  return heard;
}
