// What a comparison sees of a group or watchlist, wherever its prints are: in this node's memory, or spread over several.
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

export interface GalleryCounts {
  /** Trained by the speaker model in use, locked ones included. */
  trained: number;
  /** Those that may be compared with now. */
  scorable: number;
  /** How many members these are of; unknown in a long list of several tags, and to nodes of an earlier version. */
  owners?: number | undefined;
  /** Those that cannot be scored: not trained, made by another speaker model, or damaged. */
  unusable: number;
  /** Those of the unusable that were trained. */
  unusableTrained: number;
  /** How many of these are of which speaker model; nodes of an earlier version do not say. */
  ofOtherModels?: PrintsByModel;
  /** Those of the unusable that cannot be read. */
  damaged: readonly string[];
}

export interface GalleryView extends GalleryCounts {
  /** How many the list has, whether they have prints or not; of a long one, a while ago. */
  members?: number;
  /** Whether a print is here; of those that were named when the view was asked for. */
  has(gkVoiceprintProfileId: string): boolean;
  /** Of one print, whoever else is nearer; nothing when it is not here any more. */
  scores(
    model: SpeakerModel,
    samples: readonly VoiceSample[],
    gkVoiceprintProfileId: string,
  ): Promise<{ llr: number; reliability: number }[] | undefined>;
  /** Of each sample, best first; there are fewer answers than samples where the last ones need none. */
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
  /** Prints of which it has to be known whether they are here. */
  named: readonly string[];
  /** Ends the waiting for other nodes. */
  signal: AbortSignal;
}

/** Where operations find groups and watchlists. */
export interface GallerySource {
  view(place: CollectionPlace, asked: ViewAsked): Promise<GalleryView>;
}
