// What the erasure of a person needs beyond the other repositories.
import type { Factor } from '../model/sessions.js';

/** What is looked through for scores: those with prints of the person, or those of a recording, by whichever print. */
export interface ScoresOf {
  prints: readonly string[];
  gkMediaSegmentId?: string;
}

export interface TieOfRecording {
  /** It is only guessed to be the person's. */
  isGuess: boolean;
  /** A guess, and it is known to be somebody else's, or may be. */
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
    /** Kept for a reason that has not gone since. */
    isEvidence: boolean;
  }[];
}

/** Recordings that stay, by what becomes of their ties. */
export interface TiesLookedAt {
  /** Marked as kept, so that it is known whose they are when they may go. */
  kept: readonly string[];
  /** Kept until a line of a batch has had its turn that names them for somebody else; not where they became known as the person's since. */
  awaited: readonly string[];
  /** They were a guess, and are gone; not where they became known as the person's since. */
  guessed: readonly string[];
  /** Gone, though known: somebody else needs the recording. */
  shared: readonly string[];
}

export interface ErasureRepository {
  /**
   * Whether anything of the person is left: recordings that are tied to them, sessions that claim them, audit records with a
   * personal part, prints that were deleted and not erased. Also of one who was deleted.
   */
  hasTraces(gkScopeId: string, gkPersonId: string): Promise<boolean>;
  /** Remembers, by the bare ID, that the person was erased: what is tied to them later has to go too. */
  noteErased(gkScopeId: string, gkPersonId: string, atMs: number): Promise<void>;
  isErased(gkPersonId: string): Promise<boolean>;
  /** Those of these persons who were erased. */
  erasedPersons(gkPersonIds: readonly string[]): Promise<ReadonlySet<string>>;
  erasedAtMs(gkScopeId: string, gkPersonId: string): Promise<number | undefined>;
  /** What stayed of erased persons in an engagement: whether they are known in it, and their recordings. */
  keptIn(gkScopeId: string, gkEngagementId: string): Promise<KeptOfErased>;
  /**
   * For a transaction that ties recordings to persons, before it does: the erasure of any of them waits for its end and finds what it
   * has tied, or is over and is seen by it.
   */
  hold(gkPersonIds: readonly string[]): Promise<void>;
  /** Those of the sessions and prints, by their IDs, that were of persons who are erased. */
  erasedAmong(of: {
    gkSessionIds: readonly string[];
    gkVoiceprintProfileIds: readonly string[];
  }): Promise<ReadonlySet<string>>;
  /**
   * Persons who were erased and have recordings all the same, or were asked for in an engagement that is over, except what was kept on
   * purpose.
   */
  erasedWithTraces(limit: number): Promise<{ gkScopeId: string; gkPersonId: string }[]>;
  /** Whose those of the prints were that are gone, by print; the prints of fraudsters are not remembered. */
  formerOwners(
    gkScopeId: string,
    gkVoiceprintProfileIds: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
  /** Those of the prints that are, or were, of persons; all others were made for fraudsters. */
  ofPersons(gkVoiceprintProfileIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** The prints that a person has had and that are gone. */
  formerPrints(gkScopeId: string, gkPersonId: string): Promise<string[]>;
  /** A caller says that a recording, or those of a session, are of a person; not where it is known to be somebody else's. */
  tieSaid(
    person: { gkScopeId: string; gkPersonId: string },
    of: { gkMediaSegmentId: string } | { gkSessionId: string },
  ): Promise<void>;
  /** All recordings of an engagement are a person's, as a guess that gives way to what is known of each. */
  tieEngagement(person: { gkScopeId: string; gkPersonId: string }, gkEngagementId: string): Promise<void>;
  /**
   * Engagements in which the person was claimed, heard, enrolled or recognized by one of these prints; that a recording which only lies
   * in one of these uploads was heard elsewhere says nothing of the engagement it lies in.
   */
  engagementsOf(
    gkScopeId: string,
    gkPersonId: string,
    of: { prints: readonly string[]; uploads: ReadonlySet<string> },
  ): Promise<string[]>;
  /** Of these uploads those that hold a recording which is not known to be the person's. */
  holdingOthers(gkPersonId: string, uploads: readonly string[]): Promise<ReadonlySet<string>>;
  /** Recordings in these uploads are not guessed to be the person's any more. */
  dropGuessesIn(gkPersonId: string, uploads: ReadonlySet<string>): Promise<void>;
  /** Who was heard in the recordings of an engagement, by the sessions that these lie in; `many` where there are too many to be of one person. */
  speakersIn(gkEngagementId: string): Promise<{ gkPersonId: string; gkSessionId: string }[] | 'many'>;
  /** What was enrolled, in other sessions, of the recordings that lie in a session or that it has heard. */
  enrolledElsewhere(gkScopeId: string, gkSessionId: string): Promise<Factor[]>;
  /** What was checked of a recording, in whatever session. */
  checksOf(gkMediaSegmentId: string): Promise<Factor[]>;
  /** Remembers whom a call asks for, whatever comes out. */
  noteAsked(asked: AskedPerson): Promise<void>;
  /** Who is named as the speaker of a recording is asked for in its session; not noted where they were heard. */
  noteNamed(gkScopeId: string, gkPersonId: string, heardIn: ReadonlySet<string>): Promise<void>;
  /** Engagements in which calls have asked for the person. */
  engagementsAskingFor(gkScopeId: string, gkPersonId: string): Promise<string[]>;
  /** All whom calls in an engagement have asked for, and whose recordings are said to be in it. */
  askedForIn(gkEngagementId: string): Promise<string[]>;
  /** Whether a recording is on legal hold that lies in the engagement, or that a check in it has heard. */
  isOnHold(gkEngagementId: string): Promise<boolean>;
  /** That the person was asked for is forgotten, but for engagements that were kept, or that are still to be looked at. */
  settleAsked(
    gkPersonId: string,
    of: { kept: ReadonlySet<string>; waiting: ReadonlySet<string> },
  ): Promise<void>;
  /**
   * Takes scores, and what they were of, out of factors that say them; answers in which sessions, one for each factor. With prints it
   * is asked when the recordings are gone that go: those that stay are still known to have been heard.
   */
  forgetScores(gkScopeId: string, of: ScoresOf, keptEngagements: ReadonlySet<string>): Promise<string[]>;
  /** Searches in stored calls say no longer how alike recordings were that are gone. */
  forgetHits(gkScopeId: string): Promise<void>;
  /**
   * Answers that are kept for repeated calls and name one of these (persons, prints, engagements, sessions, live calls, recordings), or
   * what was processed from one of them, are emptied; answers how many.
   */
  forgetAnswers(named: readonly string[]): Promise<number>;
  /** What is known of a recording that is tied to the person. */
  tieOf(gkMediaSegmentId: string, gkPersonId: string): Promise<TieOfRecording>;
  /** What becomes of the ties of recordings that stay. Ties of other recordings stay as they are: a call may just have made them. */
  untie(gkPersonId: string, of: TiesLookedAt): Promise<void>;
  /** Recordings of erased persons that stay until a line of a batch has had its turn. */
  awaited(limit: number): Promise<{ gkScopeId: string; gkPersonId: string; gkMediaSegmentId: string }[]>;
  /** What kept recordings of these from being erased may be no more: they are to be looked at again. Answers whose they are. */
  reconsider(
    gkScopeId: string,
    kept: { gkMediaSegmentId: string } | { gkEngagementId: string },
  ): Promise<{ gkScopeId: string; gkPersonId: string }[]>;
  /**
   * Rows that still hold something of the person, of these recordings or scores with these prints, kept answers that name them, and
   * blocks that hold a voice of any that is gone.
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
