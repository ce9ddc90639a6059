// Voices for browser tests: a WAV for the fake microphone, files to drop, and prints made over the API.
import type { Page } from 'playwright-core';
import type { VoiceName } from '../support/fixtures.js';
import { joined } from '../support/speech.js';
import { voiceSamples } from '../support/voice-samples.js';
import { PATIENCE_MS, type ConsoleTest } from './support.js';

const RATE = 16_000;

export async function voiceWav(voice: VoiceName, sentences: readonly number[]): Promise<Buffer> {
  return wavOf([joined(...(await Promise.all(sentences.map((sentence) => voiceSamples(voice, sentence)))))]);
}

/** A call as contact centers record it: one voice on each side. */
export async function stereoWav(left: VoiceName, right: VoiceName, sentence: number): Promise<Buffer> {
  return wavOf([await voiceSamples(left, sentence), await voiceSamples(right, sentence)]);
}

function wavOf(channels: readonly Float32Array[]): Buffer {
  const length = Math.max(...channels.map((samples) => samples.length));
  const frame = channels.length * 2;
  const bytes = Buffer.alloc(44 + length * frame);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + length * frame, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(channels.length, 22);
  bytes.writeUInt32LE(RATE, 24);
  bytes.writeUInt32LE(RATE * frame, 28);
  bytes.writeUInt16LE(frame, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(length * frame, 40);
  const view = new DataView(bytes.buffer, bytes.byteOffset + 44);
  for (const [channel, samples] of channels.entries())
    for (let index = 0; index < samples.length; index++) {
      const sample = Math.max(-1, Math.min(1, samples[index] as number));
      view.setInt16(index * frame + channel * 2, Math.round(sample * 32_767), true);
    }
  return bytes;
}

export const silentWav = (seconds: number): Buffer => wavOf([new Float32Array(seconds * RATE)]);

/** Steady noise, the same every time. */
export function noiseWav(seconds: number): Buffer {
  let seed = 7;
  const samples = Float32Array.from({ length: seconds * RATE }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (seed / 1_073_741_824 - 1) * 0.05;
  });
  return wavOf([samples]);
}

/**
 * A microphone into which somebody speaks, and never says the same thing twice: the fake device of the browser begins
 * its file anew with every recording, and a recording that is there already is no second one.
 */
export async function speakInto(page: Page, voice: VoiceName, sentences: readonly number[]): Promise<void> {
  const wav = (await voiceWav(voice, sentences)).toString('base64');
  await page.addInitScript(`{
    const bytes = Uint8Array.from(atob('${wav}'), (char) => char.charCodeAt(0));
    let from = 0;
    navigator.mediaDevices.getUserMedia = async () => {
      const context = new AudioContext();
      const source = context.createBufferSource();
      source.buffer = await context.decodeAudioData(bytes.slice().buffer);
      source.loop = true;
      const microphone = context.createMediaStreamDestination();
      source.connect(microphone);
      source.start(0, from % source.buffer.duration);
      from += 7;
      await context.resume();
      return microphone.stream;
    };
  }`);
}

/** A microphone that is muted, or the wrong one. */
export async function muteMicrophone(page: Page): Promise<void> {
  await page.evaluate(`navigator.mediaDevices.getUserMedia = async () => {
    const context = new AudioContext();
    await context.resume();
    return context.createMediaStreamDestination().stream;
  }`);
}

/**
 * The voices of the tests come out of a computer, and the attack checks say so. Where a test is about a caller who is
 * alive, they are answered as they would be for one, and so is what the session means.
 */
export const aliveForChecks = (page: Page): Promise<void> =>
  answerChecks(page, { decision: 'DECISION_NO_RISK_DETECTED', reason: 'DECISION_REASON_AUDIO_OK' }, 90);

/** The attack checks cannot tell. */
export const unknownToChecks = (page: Page): Promise<void> =>
  answerChecks(page, { decision: 'DECISION_UNCERTAIN', reason: 'DECISION_REASON_LOW_RELIABILITY' }, 10);

async function answerChecks(page: Page, decided: object, reliability: number): Promise<void> {
  await page.route('**/v1/audios/spoofing', (route) =>
    route.fulfill({
      json: {
        status: { statusCode: 'OK' },
        syntheticSpeechDetectionResult: { ...decided, result: { risk: 12, reliability } },
        channelPlaybackDetectionResult: { ...decided, result: { risk: 7, reliability } },
      },
    }),
  );
  const isOpen = reliability < 50;
  // The server has not been asked, and says that the checks are missing.
  await page.route('**/timeline?**', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { assessment?: Assessed };
    const { caveats = [], missingChecks = [], headline = '', tone } = answer.assessment ?? {};
    const others = caveats.filter((name) => name !== 'SESSION_CAVEAT_ATTACK_CHECK_MISSING');
    const isMade = others.length < caveats.length;
    const isGood = others.length === 0 && /AUTHENTIC|NO_RISK/.test(headline);
    answer.assessment = {
      ...answer.assessment,
      caveats: isMade && isOpen ? [...others, 'SESSION_CAVEAT_ATTACK_CHECK_UNRESOLVED'] : others,
      unresolvedChecks: isOpen ? missingChecks : [],
      missingChecks: [],
      tone: isMade && isGood ? 'SESSION_TONE_GOOD' : tone,
    };
    await route.fulfill({ response, json: answer });
  });
}

interface Assessed {
  headline?: string | undefined;
  tone?: string | undefined;
  caveats?: string[];
  missingChecks?: string[];
  unresolvedChecks?: string[];
}

/** The attack checks raise the alarm and name a stretch: what is drawn must not depend on what a detector thinks of the voices of the tests. */
export async function nameStretch(page: Page): Promise<void> {
  await page.route('**/v1/audios/spoofing', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as {
      status: { diagnosticDetails: object[] };
      syntheticSpeechDetectionResult: { decision: string };
      channelPlaybackDetectionResult: { decision: string };
    };
    for (const result of [answer.syntheticSpeechDetectionResult, answer.channelPlaybackDetectionResult])
      result.decision = 'DECISION_FRAUD';
    const extras = { check: 'channel_playback', start_ms: '500', end_ms: '2500', score: '4' };
    answer.status.diagnosticDetails.push(
      { code: 'ATTACK_SPAN', extras },
      { code: 'ATTACK_SPAN', extras: { ...extras, check: 'synthetic_speech' } },
    );
    await route.fulfill({ response, json: answer });
  });
  await page.route('**/timeline?**', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as {
      events: { attributes?: Record<string, string>; decision?: string; evidence?: { spans?: object[] } }[];
    };
    for (const event of answer.events)
      if (['CHANNEL_PLAYBACK', 'SYNTHETIC_SPEECH'].includes(event.attributes?.['factor'] ?? '')) {
        event.decision = 'DECISION_FRAUD';
        event.evidence = { ...event.evidence, spans: [{ start: '0.500s', end: '2.500s', score: 4 }] };
      }
    await route.fulfill({ response, json: answer });
  });
}

/** As if dropped on the page. */
export async function giveFile(page: Page, voice: VoiceName, sentence: number): Promise<void> {
  await page.locator('main input[type=file]').setInputFiles({
    name: `${voice}-${sentence}.wav`,
    mimeType: 'audio/wav',
    buffer: await voiceWav(voice, [sentence]),
  });
}

export interface Owner {
  gkId: string;
  profile: string;
}

/** What every biometric call carries; the session is that of one caller. */
export type CallContext = Record<string, unknown>;

async function call(console: ConsoleTest, method: string, path: string, body: object) {
  const answer = await console.api(method, path, body);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Opens a session over the API, `within` the engagement of another or as a trial; `details` as the contract has them. */
export async function openSession(
  console: ConsoleTest,
  sessionType = 'SESSION_TYPE_DIGITAL',
  details?: object,
  { within, isTest }: { within?: CallContext | undefined; isTest?: true } = {},
): Promise<CallContext> {
  const scope = { gkScopeId: { value: console.gkScopeId }, configsetId: 'telephone' };
  const session = await call(console, 'PUT', '/v1/sessions/start', {
    context: { ...scope, ...(within && { gkEngagementId: within['gkEngagementId'] }) },
    sessionType,
    ...(details && { details }),
    ...(isTest && { isTest }),
  });
  return { ...scope, gkSessionId: session.gkSessionId, gkEngagementId: session.gkEngagementId };
}

/** Sends one sentence of a voice; answers the identifier of the recording. */
export async function sendVoice(
  console: ConsoleTest,
  context: CallContext,
  voice: VoiceName,
  sentence: number,
): Promise<{ value: string }> {
  return send(console, context, await voiceWav(voice, [sentence]), []);
}

/** With the agent on the left, and the caller on the right. */
export async function sendCall(
  console: ConsoleTest,
  context: CallContext,
  agent: VoiceName,
  caller: VoiceName,
): Promise<{ value: string }> {
  return send(console, context, await stereoWav(agent, caller, 4), [
    { channelIndex: 1, partyType: 'PARTY_TYPE_AGENT' },
    { channelIndex: 2, partyType: 'PARTY_TYPE_PERSON' },
  ]);
}

async function send(
  console: ConsoleTest,
  context: CallContext,
  wav: Buffer,
  callParties: readonly object[],
): Promise<{ value: string }> {
  const upload = await call(console, 'POST', '/v1/audios/upload-url', {
    context,
    container: 'CONTAINER_WAV',
    callParties,
  });
  const sent = await fetch(upload.mediaUploadUrl, {
    method: 'PUT',
    headers: { 'content-type': 'audio/wav' },
    body: new Uint8Array(wav),
  });
  if (!sent.ok) throw new Error(`upload: ${sent.status}`);
  return upload.gkMediaSegmentId;
}

/** A person or fraudster without a print; answers the system identifier. */
export async function makeOwner(
  console: ConsoleTest,
  kind: 'person' | 'fraudster',
  id: string,
): Promise<string> {
  const context = await openSession(console);
  const owner = await call(console, 'POST', `/v1/${kind}s`, { context, [`${kind}Id`]: id });
  return owner[kind === 'person' ? 'gkPersonId' : 'gkFraudsterId'].value;
}

/** A person or fraudster with a trained print, over the API. */
export async function enrollOwner(
  console: ConsoleTest,
  kind: 'person' | 'fraudster',
  id: string,
  voice: VoiceName,
  details?: object,
): Promise<Owner> {
  const context = await openSession(console);
  const gkName = kind === 'person' ? 'gkPersonId' : 'gkFraudsterId';
  const owner = await call(console, 'POST', `/v1/${kind}s`, {
    context,
    [`${kind}Id`]: id,
    ...(details && { details }),
  });
  const made = await call(console, 'POST', '/v1/voiceprints/profiles', {
    context,
    owner: { [gkName]: owner[gkName], tag: 'main' },
  });
  const profile: string = made.gkVoiceprintProfileId.value;
  for (const sentence of [1, 2, 3]) {
    const processed = await call(console, 'POST', '/v1/audios/process', {
      context,
      gkMediaSegmentId: await sendVoice(console, context, voice, sentence),
      isForEnrollment: true,
    });
    await call(console, 'POST', `/v1/voiceprints/${profile}/enrollment`, {
      context,
      gkProcessedAudioId: processed.result.gkProcessedAudioId,
    });
  }
  const trained = await call(console, 'POST', `/v1/voiceprints/${profile}/training`, { context });
  if (trained.result.trainStatus !== 'TRAIN_STATUS_TRAINED') throw new Error(JSON.stringify(trained.result));
  return { gkId: owner[gkName].value, profile };
}

const going = (url: string): string =>
  `history.pushState(null, '', ${JSON.stringify(url)}); dispatchEvent(new PopStateEvent('popstate'))`;

/** To another page of the console as its own links lead there: without loading it anew. */
export async function goTo(page: Page, url: string): Promise<void> {
  await page.evaluate(going(url));
}

/** Looked for in the page itself: the way there and back takes longer than the answer. */
const SETTLED = `new Promise((resolve, reject) => {
  const untilMs = performance.now() + ${PATIENCE_MS};
  const isVisible = (part) => part?.checkVisibility({ visibilityProperty: true });
  const look = () => {
    const title = document.querySelector('main h1');
    const loading = document.querySelector('.loading, .list-rows[aria-busy]');
    if (isVisible(title) && !loading) resolve();
    else if (performance.now() < untilMs) setTimeout(look, 10);
    else reject(new Error(title ? 'still loading: ' + loading?.innerText : 'no title: ' + document.body.innerText));
  };
  setTimeout(look);
})`;

export async function moveTo(page: Page, url: string): Promise<void> {
  await page.evaluate(`${going(url)}; ${SETTLED}`);
}

/** To a page as if it was opened for the first time: it asks for everything anew, also where it was on show before. */
export async function reopen(page: Page, url: string): Promise<void> {
  const elsewhere = url.replace(/(\/t\/[^/]+)\/.*/, '$1/no-such-page');
  await page.evaluate(`new Promise((resolve) => {
    ${going(elsewhere)};
    setTimeout(() => {
      ${going(url)};
      resolve(${SETTLED});
    });
  })`);
}

/** Waits until a page has its title, nothing is loading, and no list shows rows from before. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(SETTLED);
}
