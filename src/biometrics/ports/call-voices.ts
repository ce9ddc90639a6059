// The voices of stored recordings, for searching through many of them: individually, and many together in blocks. Blocks are
// made from the voices and can be rebuilt; deleting a recording also deletes the block that it is in.
import type { VoiceSample } from '../../voice/scoring/speaker-model.js';
import type { VoiceBlock } from '../../voice/search/voice-block.js';
import type { Page } from './page.js';

export interface CallVoice {
  gkProcessedAudioId: string;
  gkSessionId: string;
  createdAtMs: number;
  voice: VoiceSample;
}

export interface CallVoices {
  voices: CallVoice[];
  /** Stored, but damaged. */
  unreadable: number;
}

export interface OpenedBlock {
  blockId: string;
  block: VoiceBlock | 'damaged';
}

export interface CallVoiceRepository {
  /** Voices of recordings processed at or after the time, newest first; `isLoose`: only those that are in no block. */
  list(
    gkScopeId: string,
    filter: { fromMs: number; isLoose?: boolean },
    page: Page,
  ): Promise<CallVoices & { next?: string }>;
  findMany(gkScopeId: string, gkProcessedAudioIds: readonly string[]): Promise<CallVoices>;
  /** Blocks with recordings processed at or after the time, newest first. */
  blocks(gkScopeId: string, fromMs: number): Promise<string[]>;
  /** Without deleted ones. */
  openBlocks(gkScopeId: string, blockIds: readonly string[]): Promise<OpenedBlock[]>;
  /** Puts a page of voices that are in no block into a new one, unless the page is not full or few of them can be read. */
  makeBlock(gkScopeId: string, blockId: string, page: Page): Promise<{ voices: number; next?: string }>;
  /** The voices in them are then in no block. */
  dropBlocks(gkScopeId: string, blockIds: readonly string[]): Promise<void>;
  /** Blocks that contain a deleted recording. */
  outdatedBlocks(gkScopeId: string): Promise<string[]>;
  /** Tenants that have blocks, or at least this many voices in no block. */
  tenantsToPack(looseMin: number): Promise<string[]>;
}
