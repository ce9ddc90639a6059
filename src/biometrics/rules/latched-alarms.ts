// An alarm raised by an attack check stands until the call is over, even if the same voice sounds less suspicious later. An
// alarm that is based only on the first seconds and is not confirmed is no longer an alarm, but does not let anybody pass
// either.
import type { AttackKind, AttackOutcome } from './judge-attack.js';

/** An alarm on less speech has to be raised again: of 193 real calls one raised it at 3 s, and none later. */
const FIRM_MS_MIN = 6000;

interface RaisedAlarm {
  outcome: AttackOutcome;
  isFirm: boolean;
}

export type RaisedAlarms = Partial<Record<AttackKind, RaisedAlarm>>;
type Outcomes = Partial<Record<AttackKind, AttackOutcome>>;

export class LatchedAlarms {
  readonly #raised: RaisedAlarms;
  readonly #highest: Partial<Record<AttackKind, number>> = {};

  /** `before`: alarms that another node has raised. */
  constructor(before: RaisedAlarms = {}) {
    this.#raised = { ...before };
  }

  get raised(): Readonly<RaisedAlarms> {
    return this.#raised;
  }

  /** The result for the call: the latest finding or, if that is no alarm, the last alarm there was. */
  with<T extends Outcomes>(found: T, netMs: number): T {
    const said: T = { ...found };
    for (const kind of ['synthetic', 'playback'] as const) {
      const now = found[kind];
      const before = this.#raised[kind];
      if (now?.decision === 'FRAUD')
        this.#raised[kind] = { outcome: now, isFirm: before?.isFirm === true || netMs >= FIRM_MS_MIN };
      else if (now && before) Object.assign(said, { [kind]: asLatched(before) });
      this.#note(kind, now, netMs);
      const [outcome, highestRisk] = [said[kind], this.#highest[kind]];
      if (outcome && highestRisk !== undefined) Object.assign(said, { [kind]: { ...outcome, highestRisk } });
    }
    return said;
  }

  #note(kind: AttackKind, found: AttackOutcome | undefined, netMs: number): void {
    if (!found?.risk || netMs < FIRM_MS_MIN) return;
    // A finding that the check did not trust says nothing about the caller.
    if (found.doubts.some(({ measure }) => measure !== 'score')) return;
    this.#highest[kind] = Math.max(this.#highest[kind] ?? 0, found.risk.risk);
  }
}

/** An alarm that was not confirmed counts like unfamiliar audio: no other check makes up for it. */
const asLatched = ({ outcome, isFirm }: RaisedAlarm): AttackOutcome =>
  isFirm ? outcome : { ...outcome, decision: 'UNCERTAIN', unfamiliar: true };
