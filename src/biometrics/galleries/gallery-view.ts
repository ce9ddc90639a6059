// A comparison's view of a group or watchlist.
import type { Asked } from '../../voice/search/print-gallery.js';
import type { SpeakerModel, VoiceSample } from '../../voice/scoring/speaker-model.js';
import type { PrintDetails } from '../model/profiles.js';
import type { PrintsByModel } from '../rules/other-models.js';
import type { ListConsistency, RequiredCalibration } from './consistency.js';

export interface NearestPrint {
  label: PrintDetails;
  llr: number;
  reliability: number;
}

export interface GalleryView {
  /** Trained with the speaker model in use, including locked ones. */
  trained: number;
  /** Those that may be compared with now. */
  scorable: number;
  /** How many members these belong to; unknown for a long list with several tags. */
  owners?: number | undefined;
  /** Those that cannot be scored: not trained, made by another speaker model, or damaged. */
  unusable: number;
  /** Those of the unusable that were trained. */
  unusableTrained: number;
  /** How many of these belong to which speaker model. */
  ofOtherModels: PrintsByModel;
  /** Those of the unusable that cannot be read. */
  damaged: readonly string[];
  /** The number of members of the list, with or without prints; for a long list, as of a while ago. */
  members: number;
  /** Whether a print is here. */
  has(gkVoiceprintProfileId: string): boolean;
  /** For one print, regardless of nearer ones; undefined if it is no longer here. */
  scores(
    model: SpeakerModel,
    samples: readonly VoiceSample[],
    gkVoiceprintProfileId: string,
  ): Promise<{ llr: number; reliability: number }[] | undefined>;
  /** For each sample, best first; there are fewer answers than samples if the last ones need none. */
  nearest(asked: Asked): Promise<NearestPrint[][]>;
  /** Whether the prints were made for a calibration; names the first of those that were not. */
  consistency(required: RequiredCalibration, limit: number): Promise<ListConsistency>;
}

/** A group or watchlist, and how to name it to the caller. */
export interface CollectionPlace {
  gkScopeId: string;
  collectionGkId: string;
  field: string;
}

export interface ViewAsked {
  nowMs: number;
  tag?: string | undefined;
}
