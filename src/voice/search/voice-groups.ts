// Voices in groups of one person each, as they come: each new one joins the group that it is most like, if the calibrated score
// says that it is the same person, or begins its own. One pass; of each group a few voices and their middle are kept.
import type { SpeakerModel, VoiceSample } from '../scoring/speaker-model.js';
import { buildTemplate } from '../scoring/template.js';
import { PrintGallery } from './print-gallery.js';

export interface VoiceGroup<Name> {
  members: Name[];
  /** Least calibrated score with which a voice joined; Infinity in a group of one. */
  weakestLlr: number;
}

interface Group<Name> extends VoiceGroup<Name> {
  /** Those that make the middle; later ones join without moving it. */
  samples: VoiceSample[];
}

/** A middle of more voices is hardly better, and would have to be made anew each time. */
const SAMPLES_MAX = 5;

export class VoiceGroups<Name> {
  readonly #model: SpeakerModel;
  readonly #joinLlr: number;
  readonly #middles: PrintGallery;
  readonly #groups: Group<Name>[] = [];

  constructor(model: SpeakerModel, joinLlr: number) {
    this.#model = model;
    this.#joinLlr = joinLlr;
    this.#middles = new PrintGallery(model.revision, model.dim);
  }

  groups(): readonly VoiceGroup<Name>[] {
    return this.#groups;
  }

  add(name: Name, sample: VoiceSample): void {
    const [nearest] = this.#middles.nearest(this.#model, sample, 1);
    const group = nearest && nearest.llr >= this.#joinLlr ? this.#groups[nearest.row] : undefined;
    if (!nearest || !group) {
      this.#place(this.#groups.length, [sample]);
      this.#groups.push({ members: [name], weakestLlr: Infinity, samples: [sample] });
      return;
    }
    group.members.push(name);
    group.weakestLlr = Math.min(group.weakestLlr, nearest.llr);
    if (group.samples.length >= SAMPLES_MAX) return;
    group.samples.push(sample);
    this.#place(nearest.row, group.samples);
  }

  /** Rows are numbered as the groups are: none is ever removed. */
  #place(row: number, samples: readonly VoiceSample[]): void {
    this.#middles.add(String(row), buildTemplate(this.#model, samples));
  }
}
