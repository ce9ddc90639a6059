// Whether a print can be used for a request: with the speaker model in use, for this kind of owner, and by Verify at this
// time.
import { AppError, invalidFields, notFound, type DiagnosticCode } from '../../errors.js';
import type { SpeakerModel } from '../../voice/scoring/speaker-model.js';
import type { OwnerType } from '../model/outcome.js';
import type { Profile, TrainedPrint } from '../model/profiles.js';
import { REFUSED_FOR_LOCK } from '../model/sessions.js';
import { isLocked } from './profile-changes.js';
import { say, type Said } from '../../words/server/say.js';

type ModelOfPrints = Pick<SpeakerModel, 'revision' | 'dim'>;

/** Diagnostic of a print that this node's speaker model cannot compare with. */
export const OTHER_MODEL = 'CALIBRATION_INCOMPATIBLE';

/** A print may be compared only by the speaker model that made it. */
export function isCompatible({ template }: TrainedPrint, model: ModelOfPrints): boolean {
  return template.modelRevision === model.revision && template.embedding.length === model.dim;
}

export function wrongOwner(print: Profile, wanted: OwnerType, field: string): AppError {
  return invalidFields([
    {
      field,
      violation: 'FIELD_CONFLICT',
      ...say('PRINT_OF_OTHER_KIND', { found: print.ownerType.toLowerCase(), wanted: wanted.toLowerCase() }),
    },
  ]);
}

/** A fraudster's print whose voice can be searched for, or the refusal. */
export function searchable(profile: Profile, model: ModelOfPrints): TrainedPrint {
  if (profile.ownerType !== 'FRAUDSTER') throw wrongOwner(profile, 'FRAUDSTER', 'gk_voiceprint_profile_id');
  return comparable(profile, model);
}

/** The print, or the refusal to verify it. */
export function verifiable(profile: Profile | undefined, model: ModelOfPrints, nowMs: number): Profile {
  if (!profile) throw notFound('voiceprint profile', 'gk_voiceprint_profile_id');
  if (profile.ownerType !== 'PERSON') throw wrongOwner(profile, 'PERSON', 'gk_voiceprint_profile_id');
  if (isLocked(profile, nowMs)) {
    const until = profile.lock.autoUnlockAtMs;
    throw new AppError('PERMISSION_DENIED', say('PRINT_LOCKED'), {
      diagnostics: [
        {
          code: REFUSED_FOR_LOCK,
          extras: { ...(until !== undefined && { auto_unlock_timestamp: new Date(until).toISOString() }) },
        },
      ],
    });
  }
  // The comparison itself fails, and says so.
  if (profile.damaged) return profile;
  comparable(profile, model);
  return profile;
}

export const isRefusedForLock = (error: unknown): boolean =>
  error instanceof AppError && error.diagnostics.some(({ code }) => code === REFUSED_FOR_LOCK);

/** The trained part, if the model can compare it. */
function comparable({ trained }: Profile, model: ModelOfPrints): TrainedPrint {
  if (!trained) {
    throw unusable(
      'PROFILE_NOT_TRAINED',
      'the voiceprint is not trained: enroll and train it first',
      say('PRINT_NOT_TRAINED'),
    );
  }
  if (!isCompatible(trained, model)) {
    throw unusable(
      OTHER_MODEL,
      'the voiceprint was made with another speaker model: it will be remade in the background, and Train does so at once',
      say('PRINT_OF_OTHER_MODEL'),
      { print_model: trained.template.modelRevision, required_model: model.revision },
    );
  }
  return trained;
}

function unusable(
  code: DiagnosticCode,
  message: string,
  said: Said,
  extras?: Record<string, string>,
): AppError {
  return new AppError('INVALID_REQUEST', message, {
    fields: [{ field: 'gk_voiceprint_profile_id', violation: 'OTHER', ...said }],
    diagnostics: [{ code, ...(extras && { extras }) }],
  });
}
