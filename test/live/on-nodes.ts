// Live calls on several nodes behind a balancer: whatever is asked of a call may come to another node than the one that listens to it.
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { envName } from '../../src/config.js';
import type { Platform } from '../biometrics/support.js';
import { oneWorker, serve } from '../support/served-program.js';
import { temporaryFolder } from '../support/storage.js';
import { bearer, format, Line, STOP, targetOf, visit, type LineAnswer, type ToldEvent } from './line.js';
import { callSamples, cutOffIn, muLaw, pieces, prepareCall, twoCallers } from './support.js';
import { watchCall } from './watch.js';

type Nodes = readonly [Platform, Platform, Platform];

export function liveOnNodes(
  nodes: () => Nodes,
  print: () => string,
  settings: () => Record<string, unknown>,
): void {
  describe('a live call', () => {
    const follow = (on: Platform, id: string, query = '') =>
      fetch(`${on.server.httpUrl}/v1/live/${id}/events${query}`, { headers: bearer });
    const read = async (on: Platform, id: string) =>
      (await on.server.rest('GET', `/v1/live/calls/${id}`)).body.call;
    /** A call that was prepared at the first node and runs at the second. */
    const running = async (target: object = targetOf(print())) => {
      const [first, second] = nodes();
      const context = await first.open();
      const { body } = await first.post('/v1/live/calls', { context, target });
      const line = new Line(second);
      const { resume } = await line.begin({ streamToken: body.streamToken, format });
      return { line, context, liveCallId: body.liveCallId as string, resumeToken: resume?.resumeToken };
    };

    it('that one node has prepared begins at another, once, and is followed at a third', async () => {
      const [first, second, third] = nodes();
      const { liveCallId, streamToken } = await prepareCall(first, print());
      const followed = await follow(third, liveCallId);
      const watched = watchCall(third, { liveCallId });
      const start = JSON.stringify({ start: { streamToken, format } });
      const { own } = await twoCallers();
      const { events } = await visit(second, [start, muLaw(own), STOP]);
      expect(events.map(({ state }) => state)).toEqual(['LISTENING', 'AUTHENTIC', 'AUTHENTIC']);
      const told = [...(await followed.text()).matchAll(/^data: (.*)$/gm)].map(([, data]) =>
        JSON.parse(data!),
      );
      expect(told).toEqual(events);
      await watched.ended;
      expect(watched.events()).toEqual(events);
      for (const node of nodes()) {
        expect((await visit(node, [start])).closed.reason).toContain('stream token is unknown');
        expect(await read(node, liveCallId)).toMatchObject({ ended: true, protocol: 'websocket' });
      }
    });

    it('is let in once, however many nodes are asked at the same time', async () => {
      const { liveCallId, streamToken } = await prepareCall(nodes()[0], print());
      const answers = await Promise.all(
        [...nodes(), ...nodes()].map(async (node) => {
          const line = new Line(node);
          await new Promise((resolve) => line.socket.once('open', resolve));
          const first = new Promise((resolve) => line.socket.once('message', () => resolve('let in')));
          line.send(JSON.stringify({ start: { streamToken, format } }));
          return Promise.race([first, line.closed]);
        }),
      );
      expect(answers.filter((answer) => answer === 'let in')).toHaveLength(1);
      expect((await nodes()[2].post(`/v1/live/calls/${liveCallId}:end`, {})).body.call.ended).toBe(true);
    });

    it('is listed, and ended, at another node', async () => {
      const [, , third] = nodes();
      const { line, liveCallId } = await running();
      const listed = await third.server.rest('GET', `/v1/live/calls?gk_scope_id.value=${third.gkScopeId}`);
      expect(listed.body.calls.map((call: { liveCallId: string }) => call.liveCallId)).toContain(liveCallId);
      expect((await third.post(`/v1/live/calls/${liveCallId}:end`, {})).body.call).toMatchObject({
        ended: true,
        events: [{ state: 'LISTENING' }, { final: true, endReason: 'ended' }],
      });
      expect(await line.closed).toBe('1000 ended');
    });

    it('that is only prepared is taken back at another node', async () => {
      const [first, second, third] = nodes();
      const { liveCallId, streamToken } = await prepareCall(first, print());
      const followed = await follow(third, liveCallId);
      expect((await second.post(`/v1/live/calls/${liveCallId}:end`, {})).body.call.ended).toBe(true);
      expect(await followed.text()).toContain('"NOT_BEGUN"');
      const { closed } = await visit(first, [JSON.stringify({ start: { streamToken, format } })]);
      expect(closed.reason).toContain('stream token is unknown');
    });

    it('hears the word of the agent from another node, and shows its progress there', async () => {
      const [first, , third] = nodes();
      const { line, liveCallId } = await running({
        ...targetOf(print()),
        enrollInto: { value: print() },
      });
      const { agentToken } = (await first.post(`/v1/live/calls/${liveCallId}:agent-token`, {})).body;
      const followed = await follow(third, liveCallId, '?progress=1');
      const say = async (word: string) => {
        const url = `${third.server.httpUrl}/v1/live/${liveCallId}/${word}`;
        const headers = { authorization: `Bearer ${agentToken}`, 'content-type': 'application/json' };
        const answer = await fetch(url, { method: 'POST', headers, body: '{"consent":true}' });
        return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
      };
      expect(await say('confirm')).toEqual({ status: 200, body: { agentWord: 'CONFIRMED' } });
      expect(await say('deny')).toEqual({ status: 200, body: { agentWord: 'DENIED' } });
      expect((await say('confirm')).body['error_message']).toContain('not the customer');
      expect((await read(third, liveCallId)).agentWord).toBe('DENIED');
      // Told once a second: seen before the call goes on.
      let text = '';
      const decoder = new TextDecoder();
      const reader = followed.body!.getReader();
      while (!text.includes('"agentWord":"DENIED"')) {
        const { value, done } = await reader.read();
        if (done) break;
        text += decoder.decode(value, { stream: true });
      }
      expect(text).toContain('event: progress');
      await reader.cancel();
      line.send(STOP);
      await line.closed;
      const enrolled = await third.post(`/v1/live/calls/${liveCallId}:enroll`, { consent: true });
      expect(JSON.stringify(enrolled.body.status)).toContain('no speech from this call');
    });

    it('is enrolled from another node when it is over', async () => {
      const [first, , third] = nodes();
      const context = await first.open();
      const profile = await first.createProfile(context, 'person', `passive-${crypto.randomUUID()}`);
      const { line, liveCallId } = await running({ ...targetOf(print()), enrollInto: { value: profile } });
      line.send(muLaw(await callSamples('anna', [1], 8000)), STOP);
      expect(await line.closed).toBe('1000 stopped');
      const enroll = async () =>
        (await third.post(`/v1/live/calls/${liveCallId}:enroll`, { consent: true })).body;
      expect(await enroll()).toMatchObject({ enrolled: true, reason: 'ENROLL_OK' });
      expect(JSON.stringify((await enroll()).status)).toContain('no speech from this call');
    });

    // A process of its own has to start, on a machine that may have much else to do.
    it('that ended at a node which crashed is not waited for', { timeout: 300_000 }, async () => {
      const [first, , third] = nodes();
      const env = Object.entries(settings()).map(([name, value]) => [envName(name), String(value)]);
      const other = await serve(temporaryFolder(), { ...Object.fromEntries(env), ...oneWorker });
      onTestFinished(() => void other.process.kill('SIGKILL'));
      const target = { ...targetOf(print()), enrollInto: { value: print() } };
      const { body } = await first.post('/v1/live/calls', { context: await first.open(), target });
      const line = new Line({ server: { httpUrl: other.http } }, {});
      await line.begin({ streamToken: body.streamToken, format });
      line.send(muLaw(await callSamples('anna', [1], 8000)), STOP);
      expect(await line.closed).toBe('1000 stopped');
      const isDown = new Promise((resolve) => other.process.once('exit', resolve));
      other.process.kill('SIGKILL');
      await isDown;
      const enroll = async () =>
        JSON.stringify(
          (await third.post(`/v1/live/calls/${body.liveCallId}:enroll`, { consent: true })).body,
        );
      await expect
        .poll(enroll, { timeout: 120_000, interval: 500 })
        .toContain('its speech is no longer kept');
    });

    it('whose node froze until others gave it up stays as they have told', { timeout: 300_000 }, async () => {
      const [first, , third] = nodes();
      const env = Object.entries(settings()).map(([name, value]) => [envName(name), String(value)]);
      const other = await serve(temporaryFolder(), { ...Object.fromEntries(env), ...oneWorker });
      onTestFinished(() => void other.process.kill('SIGKILL'));
      const context = await first.open();
      const { liveCallId, streamToken } = await prepareCall(first, print(), '', context);
      const line = new Line({ server: { httpUrl: other.http } }, {});
      await line.begin({ streamToken, format });
      other.process.kill('SIGSTOP');
      // Enough to decide on, as soon as somebody hears it.
      line.send(muLaw((await twoCallers()).own));
      await expect.poll(async () => (await read(third, liveCallId)).ended, { timeout: 120_000 }).toBe(true);
      const told = await read(third, liveCallId);
      const rows = (await cutOffIn(first, context)).rows;
      expect(told.events.map(({ state, endReason }: ToldEvent) => [state, endReason])).toEqual([
        ['LISTENING', undefined],
        ['LISTENING', 'crashed'],
      ]);
      other.process.kill('SIGCONT');
      expect(await line.closed).toBe('1000 crashed');
      expect(line.events).toEqual(told.events);
      // It has had its time to store what it found.
      await pause(2000);
      expect(await read(third, liveCallId)).toEqual(told);
      expect((await cutOffIn(first, context)).rows).toEqual(rows);
      expect(rows).toEqual(['CutOffCall crashed']);
      const decided = await first.decision(context);
      expect(decided.decision ?? 'DECISION_UNSPECIFIED').not.toBe('DECISION_AUTHENTIC');
    });

    it('whose connection broke goes on at another node, with all that was said', async () => {
      const [first, , third] = nodes();
      const { line, context, liveCallId, resumeToken } = await running();
      const audio = muLaw((await twoCallers()).own);
      const sentBytes = 48_000;
      line.send(...pieces(audio.subarray(0, sentBytes), 1600));
      await expect.poll(() => line.events.at(-1)?.state).toBe('AUTHENTIC');
      const followed = await follow(first, liveCallId);
      line.socket.terminate();
      await line.closed;
      const cutOff = () => cutOffIn(first, context);
      await expect.poll(cutOff).toEqual({ isCutOff: true, rows: ['LoseCall'] });
      let again = new Line(third);
      const begin = async (): Promise<LineAnswer> =>
        again.begin({ resumeToken, afterSequence: '2' }).catch((thrown: unknown) => {
          // The node that listens is busy: asked again, as a sender would.
          if (!String(thrown).includes('1013')) throw thrown;
          again = new Line(third);
          return begin();
        });
      const { resume } = await begin();
      expect(resume).toMatchObject({ resumeToken });
      await expect.poll(cutOff).toEqual({ isCutOff: false, rows: ['LoseCall', 'ResumeCall'] });
      const received = Number(resume?.receivedBytes);
      // ScanStop for the decision, and no more than was sent.
      expect(received).toBeGreaterThan(24_000);
      expect(received).toBeLessThanOrEqual(sentBytes);
      again.send(audio.subarray(received), STOP);
      expect(await again.closed).toBe('1000 stopped');
      expect(again.events.at(-1)).toMatchObject({ sequence: '3', state: 'AUTHENTIC', final: true });
      const told = [...(await followed.text()).matchAll(/^id: (\d+)$/gm)].map(([, id]) => id);
      expect(told).toEqual(['1', '2', '3']);
    });

    it('whose sender goes just before its session is stopped at another node was cut off', async () => {
      const [first, , third] = nodes();
      const calls = await Promise.all(
        [500, 620, 740, 860].map(async (forMs) => {
          const { line, context } = await running();
          const audio = pieces(muLaw((await twoCallers()).own), 160);
          // As it is spoken, so that the node leaves it unread for a while.
          for (const beganAt = performance.now(); performance.now() - beganAt < forMs;) {
            line.send(audio.next().value as Buffer);
            await pause(20);
          }
          line.socket.terminate();
          await pause(10);
          await third.server.rest('PUT', '/v1/sessions/stop', { body: { context } });
          return context;
        }),
      );
      for (const context of calls)
        await expect.poll(async () => (await cutOffIn(first, context)).rows.at(-1)).toBe('CutOffCall lost');
    });
  });
}
