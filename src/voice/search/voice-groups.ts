// Groups voices by person, as they come: each new one joins the group that it is most like, if the calibrated
// score says that it is the same person, or starts its own. At the end, groups are merged that are one person
// by all their calls together. A few voices of each group make its middle (centroid), with which others are
// compared. Groups can be saved and restored later: then the voices behind a middle are loaded only if a
// voice joins.
import { scoreSample } from '../scoring/score.js';
import type { SpeakerModel, VoiceSample } from '../scoring/speaker-model.js';
import { buildTemplate, type Template } from '../scoring/template.js';
import { PrintGallery } from './print-gallery.js';

export interface VoiceGroup {
  id: string;
  /**
   * By name, with the calibrated score at which a voice, or the group that it was in, joined; Infinity for
   * the first.
   */
  members: Map<string, number>;
  /** The members that make the middle; later ones join without moving it. */
  samples: string[];
  middle: Template;
}

interface KnownGroup extends VoiceGroup {
  /** The samples' voices, once they have been needed. */
  voices?: VoiceSample[];
}

export interface GroupPlace {
  groupId: string;
  llr: number;
  isSample: boolean;
}

/** What has changed since the last request. */
export interface GroupChanges {
  placed: Map<string, GroupPlace>;
  /** Groups that are new or have a new middle. */
  remade: VoiceGroup[];
  /** Groups that were merged into another. */
  removed: string[];
}

interface GroupsOptions {
  model: SpeakerModel;
  /** Voices that score this high are one person's. */
  joinLlr: number;
  newId: () => string;
  /** The voices of members of restored groups, without those that have been deleted. */
  voicesOf: (names: readonly string[]) => Promise<VoiceSample[]>;
}

/** A middle of more voices is hardly better, and would have to be computed again each time. */
export const SAMPLES_MAX = 5;
const JOINED_SAMPLES_MAX = 8;
/** Nearest groups that are considered for a merge. */
const CANDIDATES = 5;

export class VoiceGroups {
  readonly #options: GroupsOptions;
  readonly #middles: PrintGallery;
  /** By the row of their middle, without those that were merged into another. */
  readonly #groups = new Map<number, KnownGroup>();
  /** Rows of groups that are new or have changed since the last merge. */
  readonly #touched = new Set<number>();
  #changes = noChanges();

  constructor(options: GroupsOptions) {
    this.#options = options;
    this.#middles = new PrintGallery(options.model.revision, options.model.dim);
  }

  groups(): readonly VoiceGroup[] {
    return [...this.#groups.values()];
  }

  /** Restores a saved group; `isRemade`: with a new middle from the remaining voices. */
  restore(group: VoiceGroup, isRemade = false): void {
    this.#put(this.#middles.size, group);
    if (!isRemade) return;
    this.#changes.remade.add(group);
    for (const name of group.samples) this.#place(group, name);
  }

  takeChanges(): GroupChanges {
    const { placed, remade, removed } = this.#changes;
    this.#changes = noChanges();
    return { placed, remade: [...remade], removed };
  }

  async add(name: string, voice: VoiceSample): Promise<void> {
    const { model, joinLlr, newId } = this.#options;
    const [nearest] = this.#middles.nearest(model, voice, 1, (row) => this.#groups.has(row));
    const group = nearest && nearest.llr >= joinLlr ? this.#groups.get(nearest.row) : undefined;
    if (!nearest || !group) {
      const [voices, samples] = [[voice], [name]];
      const members = new Map([[name, Infinity]]);
      const begun = { id: newId(), members, samples, voices, middle: buildTemplate(model, voices) };
      this.#change(this.#middles.size, begun);
      this.#place(begun, name);
      return;
    }
    group.members.set(name, nearest.llr);
    if (group.samples.length < SAMPLES_MAX) {
      group.voices = [...(await this.#voicesOf(group)), voice];
      group.samples = [...group.samples, name];
      group.middle = buildTemplate(model, group.voices);
      this.#change(nearest.row, group);
    }
    this.#place(group, name);
  }

  /**
   * Merges groups whose calls, each compared with the middle of the other group, score this high on average;
   * one of the two must have several calls, because the score of two single calls was too low before. Only
   * groups that changed since the last time can merge now. In steps of a few milliseconds.
   */
  async *join(meanLlr: number): AsyncGenerator<void> {
    const open: number[] = [];
    for (const row of this.#candidates()) {
      if (row !== undefined) open.push(row);
      yield;
    }
    open.sort((a, b) => a - b);
    for (let row = open.pop(); row !== undefined; row = open.pop()) {
      const group = this.#groups.get(row);
      const best = group && (await this.#mostAlike(row, group));
      if (best && best.llr >= meanLlr) {
        await this.#merge(row, group, best);
        open.push(row);
      }
      yield;
    }
  }

  /** Groups of several calls that changed, or are near a single call that did. */
  *#candidates(): Generator<number | undefined> {
    const isSeveral = (row: number): boolean => (this.#groups.get(row)?.members.size ?? 0) > 1;
    const others = new Set(
      [...this.#groups.keys()].filter((row) => !this.#touched.has(row) && isSeveral(row)),
    );
    const touched = [...this.#touched];
    this.#touched.clear();
    for (const row of touched) {
      const group = this.#groups.get(row);
      if (!group) continue;
      if (isSeveral(row)) yield row;
      if (isSeveral(row) || others.size === 0) continue;
      for (const near of this.#middles.nearest(this.#options.model, group.middle, 1, (one) =>
        others.has(one),
      )) {
        others.delete(near.row);
        yield near.row;
      }
      yield;
    }
  }

  async #merge(
    row: number,
    group: KnownGroup,
    other: { row: number; group: KnownGroup; llr: number },
  ): Promise<void> {
    const joining = other.group;
    const voices = [...(await this.#voicesOf(group)), ...(await this.#voicesOf(joining))];
    const left = new Set([...group.samples, ...joining.samples]);
    this.#groups.delete(other.row);
    this.#touched.delete(other.row);
    this.#changes.removed.push(joining.id);
    this.#changes.remade.delete(joining);
    for (const [name, llr] of joining.members) group.members.set(name, Math.min(llr, other.llr));
    group.samples = [...left].slice(0, JOINED_SAMPLES_MAX);
    group.voices = voices.slice(0, JOINED_SAMPLES_MAX);
    if (voices.length > 0) group.middle = buildTemplate(this.#options.model, group.voices);
    this.#change(row, group);
    this.#touched.delete(row);
    for (const name of new Set([...left, ...joining.members.keys()])) this.#place(group, name);
  }

  async #mostAlike(
    row: number,
    group: KnownGroup,
  ): Promise<{ row: number; group: KnownGroup; llr: number } | undefined> {
    const isOther = (candidate: number): boolean => candidate !== row && this.#groups.has(candidate);
    let best: { row: number; group: KnownGroup; llr: number } | undefined;
    for (const found of this.#middles.nearest(this.#options.model, group.middle, CANDIDATES, isOther)) {
      const other = this.#groups.get(found.row);
      if (!other) continue;
      const llr = await this.#meanLlr(group, other);
      if (llr > (best?.llr ?? -Infinity)) best = { row: found.row, group: other, llr };
    }
    return best;
  }

  async #meanLlr(one: KnownGroup, other: KnownGroup): Promise<number> {
    const { model } = this.#options;
    const scores = [
      ...(await this.#voicesOf(other)).map((voice) => scoreSample(model, one.middle, voice).llr),
      ...(await this.#voicesOf(one)).map((voice) => scoreSample(model, other.middle, voice).llr),
    ];
    return scores.reduce((sum, llr) => sum + llr, 0) / scores.length;
  }

  async #voicesOf(group: KnownGroup): Promise<VoiceSample[]> {
    return (group.voices ??= await this.#options.voicesOf(group.samples));
  }

  #place({ id: groupId, members, samples }: VoiceGroup, name: string): void {
    const llr = members.get(name) ?? Infinity;
    this.#changes.placed.set(name, { groupId, llr, isSample: samples.includes(name) });
  }

  #change(row: number, group: KnownGroup): void {
    this.#touched.add(row);
    this.#changes.remade.add(group);
    this.#put(row, group);
  }

  /** Rows are numbered in the order in which groups begin: none is ever removed. */
  #put(row: number, group: KnownGroup): void {
    this.#middles.add(String(row), group.middle);
    this.#groups.set(row, group);
  }
}

const noChanges = () => ({
  placed: new Map<string, GroupPlace>(),
  remade: new Set<VoiceGroup>(),
  removed: [] as string[],
});
