// The two workflows of the voiceprint specification over gRPC: enroll a person with three recordings, then
// verify with a fourth.
//
//   npx tsx examples/enroll-and-verify.ts bootstrap.json person-1 enroll-1.wav enroll-2.wav enroll-3.wav verify.wav
//
// bootstrap.json is what `bin/voxgate bootstrap --json` printed.
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { AudioManager } from '../src/gen/vendor/biosec/v1/audio/manager_pb.js';
import { Container } from '../src/gen/vendor/biosec/v1/audio/types_pb.js';
import { AudioValidity, Decision, SessionType, TrainReason } from '../src/gen/vendor/biosec/v1/common_pb.js';
import { EntitiesManager } from '../src/gen/vendor/biosec/v1/entities/entities_pb.js';
import { SessionsManager } from '../src/gen/vendor/biosec/v1/sessions/sessions_pb.js';
import { VoiceprintsManager } from '../src/gen/vendor/biosec/v1/voiceprint/manager_pb.js';
import { VoiceprintsProcessor } from '../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import { EnrollStatus } from '../src/gen/vendor/biosec/v1/voiceprint/types_pb.js';
import { StatusCode, type Status } from '../src/gen/vendor/rpc/status_pb.js';
import { Voxgate, type Connection } from './client.js';

export interface Setup extends Connection {
  gkScopeId: string;
  configsetId: string;
}

export interface Outcome {
  decision: string;
  score: number | undefined;
  sessionDecision: string;
}

/** Every response carries its outcome in the body; a transport error would have thrown already. */
function ok<T extends { status?: Status | undefined }>(response: T): T {
  if (response.status?.statusCode !== StatusCode.OK) {
    const { statusMessage, fieldViolations = [] } = response.status ?? {};
    throw new Error(
      [statusMessage?.message, ...fieldViolations.map(({ field, message }) => `${field} ${message}`)]
        .filter(Boolean)
        .join('; '),
    );
  }
  return response;
}

export async function enrollAndVerify(
  setup: Setup,
  personId: string,
  enrollment: readonly Uint8Array[],
  verification: Uint8Array,
  say: (line: string) => void,
): Promise<Outcome> {
  const client = new Voxgate(setup);
  const sessions = client.service(SessionsManager);
  const entities = client.service(EntitiesManager);
  const manager = client.service(VoiceprintsManager);
  const processor = client.service(VoiceprintsProcessor);
  const audio = client.service(AudioManager);
  const scope = { gkScopeId: { value: setup.gkScopeId } };

  const open = async () => {
    const { gkEngagementId } = ok(await sessions.startEngagement({ context: scope }));
    const inEngagement = {
      ...scope,
      ...(gkEngagementId && { gkEngagementId }),
      configsetId: setup.configsetId,
    };
    const { gkSessionId } = ok(
      await sessions.startSession({ context: inEngagement, sessionType: SessionType.IVR }),
    );
    return { ...inEngagement, ...(gkSessionId && { gkSessionId }) };
  };
  const close = async (context: Awaited<ReturnType<typeof open>>) => {
    ok(await sessions.stopSession({ context }));
    ok(await sessions.stopEngagement({ context }));
  };
  const upload = async (context: Awaited<ReturnType<typeof open>>, bytes: Uint8Array) => {
    const { mediaUploadUrl, gkMediaSegmentId } = ok(
      await audio.getUploadUrl({ context, container: Container.WAV }),
    );
    const put = await fetch(mediaUploadUrl, {
      method: 'PUT',
      headers: { 'content-type': 'audio/wave' },
      body: new Uint8Array(bytes),
    });
    if (!put.ok || !gkMediaSegmentId) throw new Error(`upload failed: ${put.status} ${await put.text()}`);
    return gkMediaSegmentId;
  };

  try {
    say('Enrollment');
    let context = await open();
    ok(await entities.createPerson({ context, personId }));
    const owner = { owner: { case: 'personId' as const, value: personId }, tag: 'main' };
    let { gkVoiceprintProfileId } = ok(await manager.getGkVoiceprintProfileId({ context: scope, owner }));
    if (!gkVoiceprintProfileId)
      ({ gkVoiceprintProfileId } = ok(await manager.createVoiceprintProfile({ context, owner })));
    if (!gkVoiceprintProfileId) throw new Error('no profile');
    for (const bytes of enrollment) {
      const gkMediaSegmentId = await upload(context, bytes);
      const { result: processed } = ok(
        await processor.processAudio({
          context,
          input: { case: 'gkMediaSegmentId', value: gkMediaSegmentId },
          isForEnrollment: true,
        }),
      );
      if (!processed?.gkProcessedAudioId) throw new Error('the audio was not processed');
      const { gkProcessedAudioId } = processed;
      const { result } = ok(await processor.enroll({ context, gkVoiceprintProfileId, gkProcessedAudioId }));
      const seconds =
        Number(processed.audioDetails?.netAudio?.seconds ?? 0n) +
        (processed.audioDetails?.netAudio?.nanos ?? 0) / 1e9;
      say(
        `  ${AudioValidity[processed.validity]}, ${seconds.toFixed(1)} s of speech, ${EnrollStatus[result?.enrollStatus ?? 0]}`,
      );
    }
    const { result: trained } = ok(await processor.train({ context, gkVoiceprintProfileId }));
    say(
      `  training: ${TrainReason[trained?.reason ?? 0]}, ${trained?.totalValidSegments ?? 0} segments used`,
    );
    await close(context);

    say('Verification');
    context = await open();
    const { isTrained } = ok(await processor.getEnrollStatus({ context, gkVoiceprintProfileId }));
    if (!isTrained) throw new Error('the print is not trained');
    const gkMediaSegmentId = await upload(context, verification);
    const { result } = ok(
      await processor.verify({
        context,
        gkVoiceprintProfileId,
        audio: { case: 'gkMediaSegmentId', value: gkMediaSegmentId },
      }),
    );
    const session = ok(await sessions.getSessionDecision({ context }));
    await close(context);
    const outcome: Outcome = {
      decision: Decision[result?.decision ?? 0] ?? '',
      score: result?.authenticationScore?.biometricScore,
      sessionDecision: Decision[session.decision] ?? '',
    };
    say(
      `  ${outcome.decision}, log-likelihood ratio ${outcome.score?.toFixed(2) ?? 'none'}, risk ${result?.riskEngineResult?.risk ?? 'none'}; session: ${outcome.sessionDecision}`,
    );
    return outcome;
  } finally {
    client.close();
  }
}

async function main([bootstrapFile, personId, ...files]: string[]): Promise<void> {
  if (!bootstrapFile || !personId || files.length < 4) {
    console.error(
      'usage: enroll-and-verify.ts BOOTSTRAP.JSON PERSON-ID ENROLL.WAV ENROLL.WAV ENROLL.WAV VERIFY.WAV',
    );
    process.exit(2);
  }
  const { scope, configset_id, application, urls } = JSON.parse(await readFile(bootstrapFile, 'utf8'));
  const setup: Setup = {
    http: urls.http,
    grpc: urls.grpc.replace(/^[a-z]+:\/\//, ''),
    clientId: application.client_id,
    clientSecret: application.client_secret,
    gkScopeId: scope.gk_scope_id,
    configsetId: configset_id,
  };
  const recordings = await Promise.all(files.map((file) => readFile(file)));
  await enrollAndVerify(
    setup,
    personId,
    recordings.slice(0, -1),
    recordings.at(-1) ?? new Uint8Array(),
    console.log,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv.slice(2));
