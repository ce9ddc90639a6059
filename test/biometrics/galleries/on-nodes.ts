// Groups and watchlists that are spread over three running nodes: through the API, whoever is called, while a node dies.
import { describe, expect, it, onTestFinished } from 'vitest';
import { envName } from '../../../src/config.js';
import { oneWorker, serve } from '../../support/served-program.js';
import { temporaryFolder } from '../../support/storage.js';
import { utterance, type Platform, type RequestContext, type VoiceName } from '../support.js';

/** What spreads them, on every node; so low that every list of the test is spread. */
export const spreadSettings = {
  'nodes.listen': '127.0.0.1:0',
  'nodes.address': '127.0.0.1',
  'nodes.spreadFrom': 2,
};

interface Running {
  nodes: readonly Platform[];
  settings: Record<string, unknown>;
  /** One more node of the same installation, with other settings. */
  another(config: Record<string, unknown>): Promise<Platform>;
  /** What `voxgate doctor` says about the installation, as JSON. */
  doctor(): Promise<string>;
}

export function spreadOnNodes(running: () => Running): void {
  describe('a list that is spread over them', () => {
    const figure = async (node: Platform, name: string): Promise<number> => {
      const text = (await node.server.rest('GET', '/metrics')).body as string;
      return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
    };
    const expectNodes = (count: number) =>
      expect
        .poll(() => Promise.all(running().nodes.map((node) => figure(node, 'voxgate_nodes'))), {
          timeout: 100_000,
          interval: 500,
        })
        .toEqual(running().nodes.map(() => count));

    /** Everything of an answer but the identifiers that are made for it. */
    const ask = async (node: Platform, path: string, body: object) => {
      const answer = await node.post(path, body);
      expect(answer.body.status).toMatchObject({ statusCode: 'OK' });
      const { decision, reason, risk, numberOfPrints, voiceprintResults } = answer.body.result;
      return { decision, reason, risk, numberOfPrints, voiceprintResults };
    };

    async function lists(node: Platform, context: RequestContext) {
      const group = (await node.post('/v1/groups', { context, groupId: 'spread' })).body.gkGroupId;
      const watchlist = (await node.post('/v1/watchlists', { context, watchlistId: 'spread' })).body
        .gkWatchlistId;
      for (const voice of ['bruno', 'emil'] as VoiceName[]) {
        const person = await node.printOf(voice, 'person', `${voice} in the group`);
        await node.post(`/v1/groups/${group.value}/persons`, {
          context,
          gkPersonId: { value: person.owner },
        });
        const fraudster = await node.printOf(voice, 'fraudster', `${voice} on the list`);
        await node.post(`/v1/watchlists/${watchlist.value}/fraudsters`, {
          context,
          gkFraudsterId: { value: fraudster.owner },
        });
      }
      const recordings = await Promise.all(
        (['bruno', 'dora'] as const).map((voice) => node.upload(context, utterance(voice, 5))),
      );
      return recordings.flatMap((value) => {
        const body = { context, gkMediaSegmentId: { value } };
        return [
          ['/v1/voiceprints/identification', { ...body, group: { uniqueId: group } }],
          ['/v1/voiceprints/known-fraudsters-detection', { ...body, watchlist: { uniqueId: watchlist } }],
        ] as const;
      });
    }

    /** Questions, and what a node answers that holds the lists whole. */
    const prepare = async () => {
      const { nodes, another } = running();
      const [first] = nodes;
      if (!first) throw new Error('there is no node');
      const questions = await lists(first, await first.open());
      const alone = await another({ 'nodes.listen': '' });
      const wanted = await Promise.all(questions.map(([path, body]) => ask(alone, path, body)));
      await alone.stop();
      return { questions, wanted };
    };
    let prepared: ReturnType<typeof prepare> | undefined;
    const expectExact = async (nodes: readonly Platform[]) => {
      const { questions, wanted } = await (prepared ??= prepare());
      for (const node of nodes)
        expect(await Promise.all(questions.map(([path, body]) => ask(node, path, body)))).toEqual(wanted);
      return wanted;
    };

    // A process of its own has to start, on a machine that may have much else to do.
    const patience = { timeout: 300_000 };

    it(
      'gives what one node gives that holds it whole, before, while and after another is killed',
      patience,
      async () => {
        const { nodes, settings } = running();
        await expectNodes(nodes.length);
        const wanted = await expectExact(nodes);
        expect(wanted.map(({ decision }) => decision as string)).toEqual([
          'DECISION_AUTHENTIC',
          'DECISION_FRAUD',
          'DECISION_NO_MATCH',
          'DECISION_NO_RISK_DETECTED',
        ]);
        for (const node of nodes)
          expect(await figure(node, 'voxgate_node_questions_total')).toBeGreaterThan(0);

        const env = Object.entries(settings).map(([name, value]) => [envName(name), String(value)]);
        const other = await serve(temporaryFolder(), { ...Object.fromEntries(env), ...oneWorker });
        onTestFinished(() => void other.process.kill('SIGKILL'));
        await expectNodes(nodes.length + 1);
        await expectExact(nodes.slice(0, 1));
        // It says so, and is ready when it has read what it can of its part.
        const { checks } = (await (await fetch(`${other.http}/readyz`)).json()) as { checks: object };
        expect(checks).toHaveProperty('large lists');
        const readiness = async () => (await fetch(`${other.http}/readyz`)).status;
        await expect.poll(readiness, { timeout: 100_000, interval: 500 }).toBe(200);
        const isGone = new Promise((resolve) => other.process.once('exit', resolve));
        other.process.kill('SIGKILL');
        await isGone;
        await expectExact(nodes);
        await expectNodes(nodes.length);
      },
    );

    it('is answered by the others for a node that cannot be reached', async () => {
      const { nodes, another, doctor } = running();
      const [first] = nodes;
      if (!first) throw new Error('there is no node');
      const before = await figure(first, 'voxgate_node_takeovers_total');
      const unreachable = await another({ 'nodes.address': '127.0.0.1:1' });
      await expectNodes(nodes.length + 1);
      await expectExact([first]);
      expect(await figure(first, 'voxgate_node_takeovers_total')).toBeGreaterThan(before);
      const found = JSON.parse(await doctor()) as {
        checks: { name: string; status: string; found: string }[];
      };
      expect(found.checks.find(({ name }) => name === 'nodes')).toMatchObject({
        status: 'warning',
        found: expect.stringContaining('127.0.0.1:1') as string,
      });
      await unreachable.stop();
      await expectNodes(nodes.length);
    });
  });
}
