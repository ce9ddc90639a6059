// Where media and processed audio are kept.
import type { MediaSegment, ProcessedAudio } from '../model/media.js';

export interface MediaRepository {
  insert(media: MediaSegment): Promise<void>;
  find(gkScopeId: string, gkMediaSegmentId: string): Promise<MediaSegment | undefined>;
  /** For signed URLs, which carry the segment but no scope. */
  findAnywhere(gkMediaSegmentId: string): Promise<MediaSegment | undefined>;
  /** Links the recording to this person. Uploads, sessions, segments and factors do this by themselves. */
  link(gkScopeId: string, gkMediaSegmentId: string, gkPersonId: string): Promise<void>;
  /** Whether that is known, and not only guessed from the rest of the engagement. */
  isLinked(gkMediaSegmentId: string, gkPersonId: string): Promise<boolean>;
  listByPerson(gkScopeId: string, gkPersonId: string): Promise<MediaSegment[]>;
  /** Whether a media segment has these bytes; bytes without one are left over from a crash. */
  hasBlob(gkScopeId: string, blobId: string): Promise<boolean>;
  /** Created before the time, without legal hold and not enrolled; across all scopes, oldest first. */
  listExpired(beforeMs: number, limit: number): Promise<MediaSegment[]>;
  /** Everything but the hold. */
  update(media: MediaSegment): Promise<void>;
  /** Its own mark; other holds may apply to it as well. */
  mark(gkScopeId: string, gkMediaSegmentId: string, hold: { legalHold: boolean }): Promise<void>;
  delete(gkScopeId: string, gkMediaSegmentId: string): Promise<void>;
}

export interface ProcessedAudioRepository {
  insert(audio: ProcessedAudio): Promise<void>;
  find(gkScopeId: string, gkProcessedAudioId: string): Promise<ProcessedAudio | undefined>;
  findMany(gkScopeId: string, gkProcessedAudioIds: readonly string[]): Promise<ProcessedAudio[]>;
  listByMedia(gkScopeId: string, gkMediaSegmentId: string): Promise<ProcessedAudio[]>;
  update(audio: ProcessedAudio): Promise<void>;
  deleteByMedia(gkScopeId: string, gkMediaSegmentId: string): Promise<number>;
}
