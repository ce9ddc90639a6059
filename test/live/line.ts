// Connections to /v1/live for tests: one that says everything at once, and one that the test itself breaks.
import { WebSocket } from 'ws';
import type { Platform, RequestContext } from '../biometrics/support.js';
import { TEST_TOKEN } from '../support/server.js';

export interface ToldEvent {
  state: string;
  reason: string;
  final: boolean;
  endReason: string;
  sequence: string;
  score?: number;
  netSpeech?: string;
}

export interface Told {
  events: ToldEvent[];
  closed: { code: number; reason: string };
}

export const bearer = { authorization: `Bearer ${TEST_TOKEN}` };
export const format = { encoding: 'MULAW', sampleRateHz: 8000 };
export const STOP = JSON.stringify({ stop: {} });
export const targetOf = (profile: string) => ({
  gkVoiceprintProfileIds: { uniqueIds: [{ value: profile }] },
});
export const startWith = (context: RequestContext, profile: string, audio: object = format) =>
  JSON.stringify({ start: { question: { context, target: targetOf(profile) }, format: audio } });

/** What a connection needs to know of a node. */
type Reached = { server: Pick<Platform['server'], 'httpUrl'> };

const addressOf = ({ server }: Reached): string => `${server.httpUrl.replace('http', 'ws')}/v1/live`;

/** Sends what is given, texts as texts, and gathers what comes back. */
export function visit(
  on: Platform,
  messages: (string | Buffer)[],
  headers: Record<string, string> = {},
): Promise<Told> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(addressOf(on), { headers });
    const events: Told['events'] = [];
    socket.on('open', () => messages.forEach((message) => socket.send(message)));
    socket.on('message', (data: Buffer) => events.push(JSON.parse(data.toString()).event));
    socket.on('close', (code, reason) => resolve({ events, closed: { code, reason: reason.toString() } }));
    socket.on('unexpected-response', (_, answer) => reject(new Error(`HTTP ${answer.statusCode}`)));
    socket.on('error', reject);
  });
}

export interface LineAnswer {
  event?: ToldEvent;
  resume?: { resumeToken: string; receivedBytes?: string };
}

/** A connection that the test itself breaks. */
export class Line {
  readonly socket: WebSocket;
  readonly answers: LineAnswer[] = [];
  readonly closed: Promise<string>;

  constructor(on: Reached, headers: Record<string, string> = bearer) {
    this.socket = new WebSocket(addressOf(on), { headers });
    this.socket.on('message', (data: Buffer) => this.answers.push(JSON.parse(data.toString())));
    this.closed = new Promise((resolve) =>
      this.socket.on('close', (code, reason) => resolve(`${code} ${reason.toString()}`)),
    );
  }

  async begin(start: object): Promise<LineAnswer> {
    if (this.socket.readyState !== WebSocket.OPEN)
      await new Promise((resolve) => this.socket.once('open', resolve));
    const first = new Promise((resolve) => this.socket.once('message', resolve));
    this.socket.send(JSON.stringify({ start }));
    const refused = this.closed.then((reason) => Promise.reject(new Error(reason)));
    await Promise.race([first, refused]);
    return this.answers[0] as LineAnswer;
  }

  send(...messages: (Buffer | string)[]): void {
    for (const message of messages) this.socket.send(message);
  }

  get events(): ToldEvent[] {
    return this.answers.flatMap((answer) => answer.event ?? []);
  }
}
