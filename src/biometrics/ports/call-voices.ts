// The voices of stored recordings, for looking back through many of them.
import type { VoiceSample } from '../../voice/scoring/speaker-model.js';
import type { Page } from './page.js';

export interface CallVoice {
  gkProcessedAudioId: string;
  gkSessionId: string;
  createdAtMs: number;
  voice: VoiceSample;
}

export interface CallVoiceRepository {
  /** Of recordings processed at or after the time. */
  list(
    gkScopeId: string,
    filter: { fromMs: number },
    page: Page,
  ): Promise<{ voices: CallVoice[]; next?: string }>;
}
