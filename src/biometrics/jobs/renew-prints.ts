// After a change of speaker model: the server remakes the prints of the previous model by itself, from their stored enrollment
// audio, with lower priority than anything that somebody waits for. Fraudsters come first: a fraudster missing from a
// watchlist goes unnoticed, while a person who cannot be verified does not. What is left to do is read from the database, so
// that a crash loses nothing.
import { setTimeout as pause } from 'node:timers/promises';
import { isBusy } from '../../errors.js';
import type { Log } from '../../platform.js';
import type { OwnerType } from '../model/outcome.js';
import type { Profile } from '../model/profiles.js';
import type { OperationDeps } from '../operations/deps.js';
import { outdatedPrints, type OutdatedPrints } from './outdated-prints.js';
import { remakePrint } from './remake-templates.js';

const order: readonly OwnerType[] = ['FRAUDSTER', 'PERSON'];
const PAGE_PRINTS = 50;
const BUSY_PAUSE_MS = 2000;
/** After this long the work is released, so that a stopping node does not keep others from it for long. */
const TURN_MS = 5 * 60_000;

export class PrintRenewal {
  readonly #deps: OperationDeps;
  readonly #log: Log;
  /** Prints that could not be remade, each tried once while the program runs. */
  readonly #failed = new Set<string>();
  #remade = 0;
  #left = 0;
  #isAnnounced = false;

  constructor(deps: OperationDeps, log: Log) {
    this.#deps = deps;
    this.#log = log;
  }

  /** Prints of other models, as far as this node knows. */
  get left(): number {
    return this.#left;
  }

  /** Counts them, without doing anything. */
  async count(): Promise<number> {
    await this.#look();
    return this.#left;
  }

  /** Returns whether there is more to do; `isToWait`: another node still needs the prints as they are. */
  async turn(stopping: AbortSignal, isToWait: () => Promise<boolean>): Promise<boolean> {
    const outdated = await this.#look();
    if (this.#left > this.#failed.size) this.#announce(outdated);
    const endAtMs = this.#deps.clock.now() + TURN_MS;
    for (const ownerType of order)
      for (const of of outdated)
        for await (const profile of this.#waiting(of, ownerType)) {
          if (stopping.aborted) return false;
          if (await isToWait()) return true;
          await this.#renew(profile, stopping);
          if (this.#deps.clock.now() > endAtMs) return true;
        }
    this.#conclude();
    return false;
  }

  async #look(): Promise<OutdatedPrints[]> {
    const outdated = await outdatedPrints(this.#deps.store, this.#deps.engine.model);
    this.#left = outdated.reduce((sum, { prints }) => sum + prints, 0);
    return outdated;
  }

  #announce(outdated: readonly OutdatedPrints[]): void {
    if (this.#isAnnounced) return;
    this.#isAnnounced = true;
    this.#log.warn(
      {
        prints: this.#left,
        models: [...new Set(outdated.flatMap(({ models }) => models))],
        model: this.#deps.engine.model.revision,
      },
      'prints made with another speaker model cannot be compared; they are being remade from their enrollment audio',
    );
  }

  #conclude(): void {
    if (!this.#isAnnounced) return;
    this.#isAnnounced = false;
    const counts = { remade: this.#remade, failed: this.#failed.size };
    this.#remade = 0;
    if (this.#failed.size === 0) this.#log.info(counts, 'all prints were made with the speaker model in use');
    else
      this.#log.warn(
        counts,
        'some prints could not be remade: voxgate doctor counts them; these people must be enrolled again',
      );
  }

  async *#waiting(
    { gkScopeId, calibrationRevisionIds }: OutdatedPrints,
    ownerType: OwnerType,
  ): AsyncGenerator<Profile> {
    const { store, tenants } = this.#deps;
    if (!(await tenants.isUsable(gkScopeId))) return;
    let after: string | undefined;
    do {
      const page = await store.read.profiles.list(
        gkScopeId,
        { trained: true, ownerType, calibrationRevisionIds },
        { limit: PAGE_PRINTS, ...(after !== undefined && { after }) },
      );
      for (const profile of page.profiles)
        if (!this.#failed.has(profile.gkVoiceprintProfileId)) yield profile;
      after = page.next;
    } while (after !== undefined);
  }

  async #renew(profile: Profile, stopping: AbortSignal): Promise<void> {
    const { gkScopeId, gkVoiceprintProfileId } = profile;
    for (;;)
      try {
        if (await remakePrint(this.#deps, profile, stopping)) {
          this.#remade += 1;
          this.#left = Math.max(0, this.#left - 1);
        } else this.#failed.add(gkVoiceprintProfileId);
        return;
      } catch (cause) {
        if (stopping.aborted) return;
        if (isBusy(cause)) {
          await pause(BUSY_PAUSE_MS, undefined, { signal: stopping, ref: false }).catch(() => {});
          continue;
        }
        this.#failed.add(gkVoiceprintProfileId);
        this.#log.warn({ err: cause, gkScopeId, gkVoiceprintProfileId }, 'a print could not be remade');
        return;
      }
  }
}
