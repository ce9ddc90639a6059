// Reads the events of a call from /v1/live/ID/events, for doors whose protocol has no way to tell them.
import type { OnEvent, SentEvent } from './sender.js';

export async function followEvents(url: string, token: string | undefined, onEvent: OnEvent): Promise<void> {
  const answer = await fetch(url, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  if (!answer.ok || !answer.body)
    throw new Error(`the events cannot be followed: HTTP ${answer.status} ${await answer.text()}`);
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of answer.body) {
    text += decoder.decode(piece, { stream: true });
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines)
      if (line.startsWith('data: ')) onEvent(JSON.parse(line.slice('data: '.length)) as SentEvent);
  }
}
