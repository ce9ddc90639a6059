// Reads the events of a call from /v1/live/ID/events.
import { setTimeout as pause } from 'node:timers/promises';
import type { SessionAssessmentJson } from '../../gen/voxgate/biosec/v1/assessment_pb.js';

/** As the messages of LiveAudio have it, in JSON. */
export interface SentEvent {
  state?: string;
  reason?: string;
  netSpeech?: string;
  risk?: number;
  final?: boolean;
  endReason?: string;
  assessment?: SessionAssessmentJson;
  prompt?: {
    state?: string;
    expectedText?: string;
    detectedText?: string;
    reason?: string;
    answerDelay?: string;
  };
}

export type OnEvent = (event: SentEvent) => void;

const NOTHING_MORE = 204;
/** A server that goes down, or a connection that breaks, is given so many tries in a row without news. */
const TRIES_MAX = 10;
const PAUSE_MS = 1000;

/** How much was said, as far as it is told. */
export interface CallProgress {
  netSpeech?: string;
  position?: string;
  agentWord?: string;
}

export interface Following {
  token?: string | undefined;
  /** The last event that is known already. */
  after?: string | undefined;
  /** Told how much was said so far, where the address asks for it. */
  onProgress?: (progress: CallProgress) => void;
}

/** Until the last event. */
export async function followEvents(
  url: string,
  { token, after = '', onProgress }: Following,
  onEvent: OnEvent,
): Promise<void> {
  let last = after;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    if (tries > 0) await pause(PAUSE_MS);
    const answer = await fetch(url, {
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(last !== '' && { 'last-event-id': last }),
      },
    }).catch((cause: unknown) => {
      // One that was never reached is no server that went down.
      if (tries === 0) throw cause;
    });
    if (!answer) continue;
    if (answer.status === NOTHING_MORE) return;
    if (!answer.ok || !answer.body)
      throw new Error(`the events cannot be followed: HTTP ${answer.status} ${await answer.text()}`);
    for await (const { id, name, data } of messagesOf(answer.body)) {
      if (name === 'progress') onProgress?.(JSON.parse(data) as CallProgress);
      if (name !== 'message') continue;
      const event = JSON.parse(data) as SentEvent;
      [last, tries] = [id, 0];
      onEvent(event);
      if (event.final) return;
    }
  }
  throw new Error('the events cannot be followed: the connection was lost and could not be restored');
}

interface Message {
  id: string;
  name: string;
  data: string;
}

/** As the specification of server-sent events has it, as far as our server uses it. */
async function* messagesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Message> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const piece of body) {
      text += decoder.decode(piece, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const fields = new Map(
          block.split('\n').map((line) => {
            const at = line.indexOf(':');
            return [line.slice(0, at), line.slice(at + 1).trimStart()];
          }),
        );
        const data = fields.get('data');
        if (data !== undefined)
          yield { id: fields.get('id') ?? '', name: fields.get('event') ?? 'message', data };
      }
    }
  } catch {
    // It broke: asked for again behind the last event.
  }
}
