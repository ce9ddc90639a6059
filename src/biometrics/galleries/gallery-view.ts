// A comparison's view of a group or watchlist, wherever its prints are: in this node's memory, or spread over
// several nodes.
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
  /** Trained with the speaker model in use, including locked ones. */
  trained: number;
  /** Those that may be compared with now. */
  scorable: number;
  /**
   * How many members these belong to; unknown for a long list with several tags, and to nodes of an earlier
   * version.
   */
  owners?: number | undefined;
  /** Those that cannot be scored: not trained, made by another speaker model, or damaged. */
  unusable: number;
  /** Those of the unusable that were trained. */
  unusableTrained: number;
  /** How many of these belong to which speaker model; nodes of an earlier version do not say. */
  ofOtherModels?: PrintsByModel;
  /** Those of the unusable that cannot be read. */
  damaged: readonly string[];
}

export interface GalleryView extends GalleryCounts {
  /** The number of members of the list, with or without prints; for a long list, as of a while ago. */
  members?: number;
  /** Whether a print is here; only for those named when the view was requested. */
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
  /** Prints whose presence has to be known. */
  named: readonly string[];
  /** Ends the wait for other nodes. */
  signal: AbortSignal;
}

/** Where operations find groups and watchlists. */
export interface GallerySource {
  view(place: CollectionPlace, asked: ViewAsked): Promise<GalleryView>;
}
