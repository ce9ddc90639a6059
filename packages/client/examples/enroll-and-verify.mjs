// Makes a voiceprint of a person from recordings and checks another recording against it.
//
//   node enroll-and-verify.mjs PERSON VERIFY.WAV ENROLL.WAV ENROLL.WAV ENROLL.WAV
//
// VOXGATE_SERVER, VOXGATE_CLIENT_ID, VOXGATE_CLIENT_SECRET and VOXGATE_TENANT say where and as whom.
import { readFile } from 'node:fs/promises';
import { Voxgate, VoxgateError } from '@voxgate/client';

const [person, verification, ...enrollment] = process.argv.slice(2);
const voxgate = new Voxgate({
  server: process.env.VOXGATE_SERVER,
  clientId: process.env.VOXGATE_CLIENT_ID,
  clientSecret: process.env.VOXGATE_CLIENT_SECRET,
  tenant: process.env.VOXGATE_TENANT,
});

try {
  const recordings = await Promise.all(enrollment.map((file) => readFile(file)));
  const print = await voxgate.enroll(person, recordings, { consent: true });
  for (const { reason, netSpeechSeconds } of print.recordings) console.log(reason, netSpeechSeconds);
  if (!print.trained) throw new Error(`more recordings are needed: ${print.status}`);

  const { decision, reason, risk } = await voxgate.verify(person, await readFile(verification));
  console.log(decision, reason, `risk ${risk}`);
} catch (error) {
  if (!(error instanceof VoxgateError)) throw error;
  console.error(error.code, error.reason ?? '', error.message);
  process.exitCode = 1;
}
