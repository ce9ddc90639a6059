// What an outcome of an engagement does, in words of the domain.
import type { NamedFraudster, NamedWatchlist } from './named.js';

/** A person's data in it was erased, and the rest is evidence. */
export interface KeptFor {
  /** Any other outcome deletes it. */
  isKeptAsFraud: boolean;
  /**
   * The sessions in which a known fraudster was recognized, or from which one was made, and that nobody has
   * judged as genuine since; that outcome deletes them.
   */
  keptWithFraudster: readonly string[];
}

/** No outcome removes the voice from a print. */
export interface EnrolledAs {
  fraudster: NamedFraudster;
  /** The lists that the fraudster is on now. */
  watchlists: readonly NamedWatchlist[];
  /** The fraudster is also known from recordings of other engagements. */
  hasOthers: boolean;
  /** The sessions of this engagement that are in the print. */
  gkSessionIds: readonly string[];
  /** No print is usable, so nobody is recognized by it. */
  isUntrained: boolean;
}

/** A known fraudster who was recognized in sessions of the engagement. */
export interface EngagementFraudster {
  /**
   * Absent if nothing is known about them any more, or if only a search found them and the caller may not see
   * searches.
   */
  fraudster?: NamedFraudster;
  /** The sessions of the engagement in which they were recognized. */
  gkSessionIds: readonly string[];
}

export interface OutcomeEffects extends KeptFor {
  enrolledAs: readonly EnrolledAs[];
  /** The outcome "genuine" takes back that they were recognized. */
  recognized: readonly EngagementFraudster[];
}
