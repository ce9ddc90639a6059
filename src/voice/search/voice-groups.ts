// Voices in groups of one person each, as they come: each new one joins the group that it is most like, if the calibrated score
// says that it is the same person, or begins its own. In the end groups join that are one person by all their calls together. Of
// each group a few voices and their middle are kept.
import { scoreSample } from '../scoring/score.js';
import type { SpeakerModel, VoiceSample } from '../scoring/speaker-model.js';
import { buildTemplate, type Template } from '../scoring/template.js';
import { PrintGallery } from './print-gallery.js';

export interface VoiceGroup<Name> {
  members: Name[];
  /** Least calibrated score with which a voice or a group joined; Infinity in a group of one. */
  weakestLlr: number;
}

interface Group<Name> extends VoiceGroup<Name> {
  /** Those that make the middle; later ones join without moving it. */
  samples: VoiceSample[];
  middle: Template;
}

/** A middle of more voices is hardly better, and would have to be made anew each time. */
const SAMPLES_MAX = 5;
const JOINED_SAMPLES_MAX = 8;
/** Groups that are looked at as a part of one more. */
const CANDIDATES = 5;

export class VoiceGroups<Name> {
  readonly #model: SpeakerModel;
  readonly #joinLlr: number;
  readonly #middles: PrintGallery;
  /** By the row of their middle; without those that joined another. */
  readonly #groups = new Map<number, Group<Name>>();

  constructor(model: SpeakerModel, joinLlr: number) {
    this.#model = model;
    this.#joinLlr = joinLlr;
    this.#middles = new PrintGallery(model.revision, model.dim);
  }

  groups(): readonly VoiceGroup<Name>[] {
    return [...this.#groups.values()];
  }

  add(name: Name, sample: VoiceSample): void {
    const [nearest] = this.#middles.nearest(this.#model, sample, 1);
    const group = nearest && nearest.llr >= this.#joinLlr ? this.#groups.get(nearest.row) : undefined;
    if (!nearest || !group) {
      this.#place(this.#middles.size, { members: [name], weakestLlr: Infinity }, [sample]);
      return;
    }
    group.members.push(name);
    group.weakestLlr = Math.min(group.weakestLlr, nearest.llr);
    if (group.samples.length < SAMPLES_MAX) this.#place(nearest.row, group, [...group.samples, sample]);
  }

  /**
   * Joins groups whose calls, each compared with the middle of the other group, score so high on average; one of the two has
   * several calls, because the score of two alone was too low before. In steps of a few milliseconds.
   */
  *join(meanLlr: number): Generator<void> {
    const open = [...this.#groups].filter(([, { members }]) => members.length > 1).map(([row]) => row);
    for (let row = open.pop(); row !== undefined; row = open.pop()) {
      const group = this.#groups.get(row);
      const best = group && this.#mostAlike(row, group);
      if (best && best.llr >= meanLlr) {
        this.#groups.delete(best.row);
        const { group: other } = best;
        const members = [...group.members, ...other.members];
        const weakestLlr = Math.min(group.weakestLlr, other.weakestLlr, best.llr);
        const samples = [...group.samples, ...other.samples].slice(0, JOINED_SAMPLES_MAX);
        this.#place(row, { members, weakestLlr }, samples);
        open.push(row);
      }
      yield;
    }
  }

  #mostAlike(row: number, group: Group<Name>): { row: number; group: Group<Name>; llr: number } | undefined {
    const isOther = (candidate: number): boolean => candidate !== row && this.#groups.has(candidate);
    let best: { row: number; group: Group<Name>; llr: number } | undefined;
    for (const found of this.#middles.nearest(this.#model, group.middle, CANDIDATES, isOther)) {
      const other = this.#groups.get(found.row);
      if (!other) continue;
      const llr = this.#meanLlr(group, other);
      if (llr > (best?.llr ?? -Infinity)) best = { row: found.row, group: other, llr };
    }
    return best;
  }

  #meanLlr(one: Group<Name>, other: Group<Name>): number {
    const scores = [
      ...other.samples.map((sample) => scoreSample(this.#model, one.middle, sample).llr),
      ...one.samples.map((sample) => scoreSample(this.#model, other.middle, sample).llr),
    ];
    return scores.reduce((sum, llr) => sum + llr, 0) / scores.length;
  }

  /** Rows are numbered as groups begin: none is ever removed. */
  #place(row: number, group: VoiceGroup<Name>, samples: VoiceSample[]): void {
    const middle = buildTemplate(this.#model, samples);
    this.#middles.add(String(row), middle);
    this.#groups.set(row, Object.assign(group, { samples, middle }));
  }
}
