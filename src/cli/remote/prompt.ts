// `voxgate prompt`: digits for a caller to repeat, and whether they did.
import type { Command } from 'commander';
import type { StatusJson } from '../../gen/vendor/rpc/status_pb.js';
import { wholeNumber } from '../flags.js';
import { readInput } from '../input-file.js';
import type { CliIo } from '../io.js';
import { addRemoteCommand, type Result } from './remote-command.js';
import { NOT_CONFIRMED } from './voices.js';

export function registerPrompt(program: Command, io: CliIo): void {
  const prompt = program
    .command('prompt')
    .description('digits for a caller to repeat, and their answers, on a running server');
  addRemoteCommand(prompt, io, 'new', 'draw digits that can be answered once', async (voxgate) => {
    const answer = await voxgate.call('GetLivenessPrompt', { context: voxgate.configContext });
    const { expectedText = '', ivrInfo, status } = answer;
    const until = extrasOf(status, 'LIVENESS_PROMPT')?.['answer_until_timestamp'];
    return {
      value: { expectedText, ivrInfo, answerUntil: until },
      lines: [expectedText, ...(until === undefined ? [] : [`to be answered until ${until}`])],
    };
  });
  addRemoteCommand(
    prompt,
    io,
    'check <digits> <answer>',
    'check whether a recording has exactly these digits, and with --reference, whether they are a prompt that the same voice has answered in time; exits with 0 if so, with 2 otherwise',
    async (voxgate, [expectedText = '', file = ''], flags) => {
      const answer = readInput(file);
      const reference = flags['reference'];
      const compared = typeof reference === 'string' ? readInput(reference) : undefined;
      const channel = wholeNumber(flags, 'channel');
      const selector = channel === undefined ? {} : { channelSelector: { channel } };
      return voxgate.inSession(
        async (session) => {
          const { context } = session;
          const gkMediaSegmentId = { value: await session.upload(answer) };
          if (!compared) {
            const request = { context, gkMediaSegmentId, expectedText, ...selector };
            const { result = {}, status } = await voxgate.call('ValidateText', request);
            return answered(result, status, [scored('words', result.score), heard(result.detectedText)]);
          }
          const { result = {}, status } = await voxgate.call('DetectLiveness', {
            context,
            gkMediaSegmentId: { value: await session.upload(compared) },
            randomAudioSet: [{ gkMediaSegmentId, expectedText, ...selector }],
          });
          const [details] = result.details ?? [];
          return answered(result, status, [
            scored('words', details?.textValidationScore),
            scored('voice', details?.biometricScore),
          ]);
        },
        { isTest: flags['call'] !== true },
      );
    },
  )
    .option('--reference <file>', 'other speech of the caller, to compare the voice with')
    .option('--channel <number>', 'channel of the answer, from 1 (default: all of them as one)')
    .option(
      '--call',
      'it is a real call: otherwise it is listed as a trial, and it is not counted in any rate',
    );
}

const extrasOf = (status: StatusJson | undefined, code: string): Record<string, string> | undefined =>
  status?.diagnosticDetails?.find((detail) => detail.code === code)?.extras;

const scored = (what: string, score: unknown): string =>
  typeof score === 'number' ? `score of the ${what} ${score.toFixed(2)}` : '';

const heard = (text = ''): string => (text === '' ? '' : `heard ${text}`);

/** Why an answer fails, in the words of the diagnostics. */
const failures = new Set(['WORDS_NO_MATCH', 'VOICE_NO_MATCH', 'PROMPT_EXPIRED']);

function answered(
  result: { decision?: string; reason?: string },
  status: StatusJson | undefined,
  facts: readonly string[],
): Result {
  const decision = (result.decision ?? '').replace('DECISION_', '');
  const failed = (status?.diagnosticDetails ?? []).flatMap(({ code = '' }) =>
    failures.has(code) ? code : [],
  );
  const why = failed.length > 0 ? failed.join(', ') : (result.reason ?? '').replace('DECISION_REASON_', '');
  const said = facts.filter(Boolean);
  return {
    value: { ...result, failed },
    lines: [`${decision} (${why})`, ...(said.length === 0 ? [] : [said.join(', ')])],
    code: decision === 'AUTHENTIC' ? 0 : NOT_CONFIRMED,
  };
}
