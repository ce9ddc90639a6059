// What the erasure of a person needs beyond the other repositories.
import type { Factor } from '../model/sessions.js';

/** What to search for scores: those with prints of the person, or those of a recording with any print. */
export interface ScoresOf {
  prints: readonly string[];
  gkMediaSegmentId?: string;
}

export interface LinkOfRecording {
  /** It is only guessed to be the person's. */
  isGuess: boolean;
  /** A guess, and the recording is known to be somebody else's, or may be. */
  mayBeOthers: boolean;
  /** In the print of another person. */
  isEnrolledForOther: boolean;
  isEnrolledForFraudster: boolean;
  /** The persons who were recognized in it, or enrolled with it. */
  speakers: readonly string[];
}

/** A person whom a call in the session has asked for, and nobody else. */
export interface AskedPerson {
  gkScopeId: string;
  gkPersonId: string;
  gkEngagementId: string;
  gkSessionId: string;
}

export interface KeptOfErased {
  /** A session of it claims an erased person, or asked for one. */
  isAbout: boolean;
  recordings: {
    gkMediaSegmentId: string;
    gkSessionId: string;
    legalHold: boolean;
    /** Kept for a reason that still applies. */
    isEvidence: boolean;
  }[];
}

/** Recordings that are kept, by what happens to their links. */
export interface LinksLookedAt {
  /** Marked as kept, so that it is known whose they are when they may be deleted. */
  kept: readonly string[];
  /** Kept until a pending batch line that names them for somebody else has been processed, unless they have since become known as the person's. */
  awaited: readonly string[];
  /** They were a guess and are removed, unless they have since become known as the person's. */
  guessed: readonly string[];
  /** Removed although known: somebody else needs the recording. */
  shared: readonly string[];
}

export interface ErasureRepository {
  /**
   * Whether anything of the person is left: recordings linked to them, sessions that claim them, audit records with a personal
   * part, prints that were deleted but not erased. Also for a person who was deleted.
   */
  hasTraces(gkScopeId: string, gkPersonId: string): Promise<boolean>;
  /** Remembers, by the bare ID, that the person was erased: what is linked to them later must be erased too. */
  noteErased(gkScopeId: string, gkPersonId: string, atMs: number): Promise<void>;
  isErased(gkPersonId: string): Promise<boolean>;
  /** Those of these persons who were erased. */
  erasedPersons(gkPersonIds: readonly string[]): Promise<ReadonlySet<string>>;
  erasedAtMs(gkScopeId: string, gkPersonId: string): Promise<number | undefined>;
  /** What stayed of erased persons in an engagement: whether they are known in it, and their recordings. */
  keptIn(gkScopeId: string, gkEngagementId: string): Promise<KeptOfErased>;
  /**
   * For a transaction that is about to link recordings to persons: either the erasure of any of them waits for its end and
   * finds the new links, or it is already over and this transaction sees it.
   */
  hold(gkPersonIds: readonly string[]): Promise<void>;
  /** Of these sessions and prints, by ID, those of persons who have been erased. */
  erasedAmong(of: {
    gkSessionIds: readonly string[];
    gkVoiceprintProfileIds: readonly string[];
  }): Promise<ReadonlySet<string>>;
  /**
   * Persons who were erased but still have recordings, or were asked for in an engagement that has ended, except for what was kept on purpose.
   */
  erasedWithTraces(limit: number): Promise<{ gkScopeId: string; gkPersonId: string }[]>;
  /** The former owners of those of the prints that were deleted, by print; prints of fraudsters are not remembered. */
  formerOwners(
    gkScopeId: string,
    gkVoiceprintProfileIds: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
  /** Those of the prints that are, or were, of persons; all others were made for fraudsters. */
  ofPersons(gkVoiceprintProfileIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** The deleted prints of a person. */
  formerPrints(gkScopeId: string, gkPersonId: string): Promise<string[]>;
  /** Links a recording, or those of a session, to a person because a caller says so, unless it is known to be somebody else's. */
  linkSaid(
    person: { gkScopeId: string; gkPersonId: string },
    of: { gkMediaSegmentId: string } | { gkSessionId: string },
  ): Promise<void>;
  /** Links all recordings of an engagement to a person, as a guess that yields to what is known about each. */
  linkEngagement(person: { gkScopeId: string; gkPersonId: string }, gkEngagementId: string): Promise<void>;
  /**
   * Engagements in which the person was claimed, heard, enrolled or recognized by one of these prints. For a
   * recording that is only stored in one of these uploads, being heard elsewhere says nothing about the
   * engagement it is stored in.
   */
  engagementsOf(
    gkScopeId: string,
    gkPersonId: string,
    of: { prints: readonly string[]; uploads: ReadonlySet<string> },
  ): Promise<string[]>;
  /** Of these uploads, those that contain a recording which is not known to be the person's. */
  holdingOthers(gkPersonId: string, uploads: readonly string[]): Promise<ReadonlySet<string>>;
  /** Removes guesses that recordings in these uploads are the person's. */
  dropGuessesIn(gkPersonId: string, uploads: ReadonlySet<string>): Promise<void>;
  /** Who was heard in the recordings of an engagement, by the sessions they are in; `many` if there are too many to be of one person. */
  speakersIn(gkEngagementId: string): Promise<{ gkPersonId: string; gkSessionId: string }[] | 'many'>;
  /**
   * Enrollments made in other sessions from the recordings that are stored in a session or that it has heard.
   */
  enrolledElsewhere(gkScopeId: string, gkSessionId: string): Promise<Factor[]>;
  /** The checks of a recording, in any session. */
  checksOf(gkMediaSegmentId: string): Promise<Factor[]>;
  /** Remembers whom a call asks for, whatever the result. */
  noteAsked(asked: AskedPerson): Promise<void>;
  /** A person named as the speaker of a recording counts as asked for in its session; not recorded if they were heard. */
  noteNamed(gkScopeId: string, gkPersonId: string, heardIn: ReadonlySet<string>): Promise<void>;
  /** Engagements in which calls have asked for the person. */
  engagementsAskingFor(gkScopeId: string, gkPersonId: string): Promise<string[]>;
  /** Everybody whom calls in an engagement have asked for, or whose recordings are said to be in it. */
  askedForIn(gkEngagementId: string): Promise<string[]>;
  /** Whether a recording in the engagement, or one that a check in it has heard, is on legal hold. */
  isOnHold(gkEngagementId: string): Promise<boolean>;
  /** Forgets that the person was asked for, except in engagements that were kept or are still to be examined. */
  settleAsked(
    gkPersonId: string,
    of: { kept: ReadonlySet<string>; waiting: ReadonlySet<string> },
  ): Promise<void>;
  /**
   * Removes scores, and what they were about, from factors; returns the session of each factor. With prints,
   * it is called after the recordings to be deleted are gone: remaining ones are still known to have been
   * heard.
   */
  forgetScores(gkScopeId: string, of: ScoresOf, keptEngagements: ReadonlySet<string>): Promise<string[]>;
  /** Removes from searches in stored calls the scores of deleted recordings, and of calls that were erased. */
  forgetHits(gkScopeId: string): Promise<void>;
  /**
   * Empties answers that are kept for repeated calls and name one of these (persons, prints, engagements,
   * sessions, live calls, recordings), or something processed from one of them; returns how many.
   */
  forgetAnswers(named: readonly string[]): Promise<number>;
  /** What is known about a recording that is linked to the person. */
  linkOf(gkMediaSegmentId: string, gkPersonId: string): Promise<LinkOfRecording>;
  /** Updates the links of recordings that are kept. Links of other recordings are not changed: a call may just have made them. */
  unlink(gkPersonId: string, of: LinksLookedAt): Promise<void>;
  /** Recordings of erased persons that are kept until a batch line has been processed. */
  awaited(limit: number): Promise<{ gkScopeId: string; gkPersonId: string; gkMediaSegmentId: string }[]>;
  /** The reason that kept recordings of these from being erased may no longer apply: they are to be examined again. Returns whose they are. */
  reconsider(
    gkScopeId: string,
    kept: { gkMediaSegmentId: string } | { gkEngagementId: string },
  ): Promise<{ gkScopeId: string; gkPersonId: string }[]>;
  /**
   * Counts rows that still contain something of the person, of these recordings or scores with these prints,
   * kept answers that name them, and blocks with a voice of any deleted recording.
   */
  remains(
    gkScopeId: string,
    gkPersonId: string,
    of: {
      mediaIds: readonly string[];
      prints?: readonly string[];
      keptEngagements?: readonly string[];
    },
  ): Promise<number>;
}
