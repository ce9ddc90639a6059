// Throws mutated frames at everything that reads what a telephone system sends. Run: npx tsx bench/fuzz-live.ts [frames] [firstSeed]
// Fails at the first that is neither taken nor refused; the message names its seed.
import {
  protocolNames,
  fuzzAudioSocket,
  fuzzProtocol,
  fuzzSignature,
  fuzzStreams,
} from '../test/support/fuzz-protocols.js';

const FRAMES = Number(process.argv[2] ?? 100_000);
const FIRST_SEED = Number(process.argv[3] ?? 1);

const report: Record<string, unknown> = { framesEach: FRAMES };
for (const name of protocolNames) report[name] = await fuzzProtocol(name, FRAMES, FIRST_SEED);
report['audiosocket'] = { refused: await fuzzAudioSocket(FRAMES, FIRST_SEED) };
report['audiohook signature'] = { refused: fuzzSignature(FRAMES, FIRST_SEED) };
report['encodings'] = { faults: await fuzzStreams(FRAMES, FIRST_SEED) };
report['rssMiB'] = Math.round(process.memoryUsage().rss / 2 ** 20);
console.log(JSON.stringify(report, undefined, 2));
process.exit(0);
