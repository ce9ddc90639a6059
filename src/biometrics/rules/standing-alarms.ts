// An alarm of an attack check stands until the call is over: that the same voice sounds less clear later on takes nothing back, and no
// speech of it is good enough to let the caller pass.
import type { AttackKind, AttackOutcome } from './judge-attack.js';

export type RaisedAlarms = Partial<Record<AttackKind, AttackOutcome>>;

export class StandingAlarms {
  readonly #raised: RaisedAlarms;

  /** `before`: those that another node has raised. */
  constructor(before: RaisedAlarms = {}) {
    this.#raised = { ...before };
  }

  get raised(): Readonly<RaisedAlarms> {
    return this.#raised;
  }

  /** What is said of the call now: by what was just found, and where that is no alarm, by the last one there was. */
  with<T extends RaisedAlarms>(found: T): T {
    const said: T = { ...found };
    for (const kind of ['synthetic', 'playback'] as const) {
      const now = found[kind];
      const before = this.#raised[kind];
      if (now?.decision === 'FRAUD') this.#raised[kind] = now;
      else if (now && before) Object.assign(said, { [kind]: before });
    }
    return said;
  }
}
