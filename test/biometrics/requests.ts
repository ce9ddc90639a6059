// A valid request of every operation of the voiceprint service, what is mandatory in it, and a tenant that has
// something of everything for the requests to name. Tests corrupt these requests one field at a time, or name
// the things of another tenant in them.
import type { DescService } from '@bufbuild/protobuf';
import { AudioManager } from '../../src/gen/vendor/biosec/v1/audio/manager_pb.js';
import { AudioProcessor } from '../../src/gen/vendor/biosec/v1/audio/processor_pb.js';
import { ConfigurationManager } from '../../src/gen/vendor/biosec/v1/configmanager/configmanager_pb.js';
import { EntitiesManager } from '../../src/gen/vendor/biosec/v1/entities/entities_pb.js';
import { SessionsManager } from '../../src/gen/vendor/biosec/v1/sessions/sessions_pb.js';
import { TuningManager } from '../../src/gen/vendor/biosec/v1/tuning/tuning_pb.js';
import { VoiceprintsManager } from '../../src/gen/vendor/biosec/v1/voiceprint/manager_pb.js';
import { VoiceprintsProcessor } from '../../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import type { Platform } from './support.js';
import { utterance, type RequestContext } from './support.js';

export const services: readonly DescService[] = [
  VoiceprintsProcessor,
  VoiceprintsManager,
  SessionsManager,
  EntitiesManager,
  AudioManager,
  AudioProcessor,
  ConfigurationManager,
  TuningManager,
];

export type Json = Record<string, unknown>;

/** One utterance is enough for a print, so that a tenant is quickly made. */
export const quickEnrollment = {
  enrollment: { segmentsMin: 1, segmentsOptimal: 1, netSpeechSecondsMin: 1, netSpeechSecondsOptimal: 1 },
};

const thresholds = [
  { far: 0.01, llr: 1 },
  { far: 0.001, llr: 3 },
  { far: 0.0001, llr: 5 },
];

const id = (value: string) => ({ value });

/** A tenant with one of everything, all of it named after the tenant. */
export class TenantFixture {
  readonly platform: Platform;
  readonly name: string;
  readonly context: Json;
  readonly ids: Record<
    | 'person'
    | 'fraudster'
    | 'group'
    | 'watchlist'
    | 'personPrint'
    | 'fraudsterPrint'
    | 'media'
    | 'audio'
    | 'job'
    | 'calibration'
    | 'revision',
    string
  >;
  #made = 0;

  private constructor(
    platform: Platform,
    name: string,
    context: Json,
    ids: Record<
      | 'person'
      | 'fraudster'
      | 'group'
      | 'watchlist'
      | 'personPrint'
      | 'fraudsterPrint'
      | 'media'
      | 'audio'
      | 'job'
      | 'calibration'
      | 'revision',
      string
    >,
  ) {
    this.platform = platform;
    this.name = name;
    this.context = context;
    this.ids = ids;
  }

  static async make(platform: Platform, name: string): Promise<TenantFixture> {
    const call = await platform.open();
    const person = await platform.createOwner(call, 'person', `${name}-person`);
    const fraudster = await platform.createOwner(call, 'fraudster', `${name}-fraudster`);
    const group = (await platform.post('/v1/groups', { context: call, groupId: `${name}-group` })).body
      .gkGroupId.value as string;
    const watchlist = (
      await platform.post('/v1/watchlists', { context: call, watchlistId: `${name}-watchlist` })
    ).body.gkWatchlistId.value as string;
    await platform.post(`/v1/groups/${group}/persons`, { context: call, gkPersonId: id(person) });
    await platform.post(`/v1/watchlists/${watchlist}/fraudsters`, {
      context: call,
      gkFraudsterId: id(fraudster),
    });
    const processed = await platform.process(call, utterance('anna', 1), { isForEnrollment: true });
    const print = async (kind: 'person' | 'fraudster') => {
      const profile = await platform.createProfile(call, kind, `${name}-${kind}`);
      await platform.post(`/v1/voiceprints/${profile}/enrollment`, {
        context: call,
        gkProcessedAudioId: processed.gkProcessedAudioId,
      });
      await platform.train(call, profile);
      return profile;
    };
    const [personPrint, fraudsterPrint] = [await print('person'), await print('fraudster')];
    const job = (
      await platform.post('/v1/voiceprints/profiles/status', {
        context: call,
        ownerType: 'OWNER_TYPE_PERSON',
      })
    ).body.gkJobId.value as string;
    const fixture = new TenantFixture(platform, name, TenantFixture.#wire(call), {
      person,
      fraudster,
      group,
      watchlist,
      personPrint,
      fraudsterPrint,
      media: processed.gkMediaSegmentId.value,
      audio: processed.gkProcessedAudioId.value,
      job,
      calibration: '',
      revision: '',
    });
    fixture.ids.revision = await fixture.revision();
    fixture.ids.calibration = await fixture.calibration('VALIDATED');
    await fixture.jobDone(job);
    return fixture;
  }

  /** The context in proto names, as the requests below are written. */
  static #wire(call: RequestContext): Json {
    return {
      gk_engagement_id: call.gkEngagementId,
      gk_session_id: call.gkSessionId,
      gk_scope_id: call.gkScopeId,
      configset_id: call.configsetId,
    };
  }

  get #call(): RequestContext {
    return {
      gkEngagementId: this.context['gk_engagement_id'] as { value: string },
      gkSessionId: this.context['gk_session_id'] as { value: string },
      gkScopeId: this.context['gk_scope_id'] as { value: string },
      configsetId: this.context['configset_id'] as string,
    };
  }

  /** A name that nothing has yet. */
  fresh(what: string): string {
    this.#made += 1;
    return `${this.name}-${what}-${this.#made}`;
  }

  /** Another open session, for requests that end one. */
  async session(): Promise<Json> {
    return TenantFixture.#wire(await this.platform.open());
  }

  party(kind: 'person' | 'fraudster'): Promise<string> {
    return this.platform.createOwner(this.#call, kind, this.fresh(kind));
  }

  async collection(kind: 'group' | 'watchlist'): Promise<string> {
    const { body } = await this.platform.post(`/v1/${kind}s`, {
      context: this.#call,
      [`${kind}Id`]: this.fresh(kind),
    });
    return body[kind === 'group' ? 'gkGroupId' : 'gkWatchlistId'].value;
  }

  async profile(): Promise<string> {
    const person = this.fresh('owner');
    await this.platform.createOwner(this.#call, 'person', person);
    return this.platform.createProfile(this.#call, 'person', person);
  }

  async enrolledProfile(): Promise<string> {
    const profile = await this.profile();
    await this.platform.post(`/v1/voiceprints/${profile}/enrollment`, {
      context: this.#call,
      gkProcessedAudioId: id(this.ids.audio),
    });
    return profile;
  }

  async revision(configsetId = this.fresh('set')): Promise<string> {
    const { body } = await this.platform.post('/v1/configsets', {
      context: this.#call,
      configsetId,
      type: 'CONFIGSET_TYPE_OPERATIONAL',
      rawContent: Buffer.from('{}').toString('base64'),
    });
    return body.gkConfigsetRevisionId.value;
  }

  async configset(): Promise<string> {
    const name = this.fresh('set');
    await this.platform.configure(name, {});
    return name;
  }

  async template(): Promise<string> {
    const name = this.fresh('template');
    await this.platform.post('/v1/templates', {
      context: this.#call,
      templateId: name,
      type: 'CONFIGSET_TYPE_OPERATIONAL',
      rawContent: Buffer.from('{}').toString('base64'),
    });
    return name;
  }

  async calibration(state: 'UPLOADED' | 'VALIDATED' | 'ACTIVE', name = this.fresh('model')): Promise<string> {
    const { body } = await this.platform.post('/v1/calibrations', {
      context: this.#call,
      calibrationModelId: name,
      type: 'CALIBRATION_MODEL_TYPE_VOICEPRINTS',
    });
    await fetch(body.calibrationModelUploadUrl, { method: 'PUT', body: JSON.stringify({ thresholds }) });
    const revision = body.gkCalibrationModelRevisionId.value as string;
    const steps = { UPLOADED: [], VALIDATED: ['validate'], ACTIVE: ['validate', 'activate'] }[state];
    for (const step of steps)
      await this.platform.server.rest('PUT', `/v1/calibrations/revisions/${revision}:${step}`, {
        body: { context: this.#call },
      });
    return revision;
  }

  async engagement(): Promise<{ engagementId: string; correlationId: string }> {
    const names = { engagementId: this.fresh('engagement'), correlationId: this.fresh('correlation') };
    await this.platform.post('/v1/engagements/start', { context: this.#call, details: names });
    return names;
  }

  upload(): Promise<string> {
    return this.platform.upload(this.#call, new Uint8Array([1, 2, 3]));
  }

  async prompt(): Promise<string> {
    const path = `/v1/prompts/liveness?${this.platform.query(this.#call)}`;
    return (await this.platform.server.rest('GET', path)).body.expectedText;
  }

  async jobDone(job: string): Promise<void> {
    await this.#until(async () => {
      const path = `/v1/voiceprints/profiles/status/${job}?${this.platform.query(this.#call)}`;
      const { body } = await this.platform.server.rest('GET', path);
      return /COMPLETED$/.test(body.jobState);
    });
  }

  /** The person goes first, and the proof is written when everything else has followed: only then is nothing more done. */
  async erased(gkPersonId: string): Promise<void> {
    await this.#until(async () => {
      const query = `${this.platform.query(this.#call)}&recordType=RECORD_TYPE_PERSONAL_DATA_DELETED_EVENT&pageSize=100`;
      const { body } = await this.platform.server.rest('GET', `/v1/x/audit/records?${query}`);
      return (body.records ?? []).some(({ recordAsJson }: { recordAsJson: string }) =>
        recordAsJson.includes(gkPersonId),
      );
    });
  }

  async #until(happened: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < 300; tries++) {
      if (await happened()) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('it did not happen');
  }
}

export interface Case {
  /** For engagement, session, scope and config set: M mandatory, O used when given, - not used. */
  context: string;
  /** Field to leave out, and the field that the refusal then names when it is another one. */
  mandatory: (string | [field: string, named: string])[];
  /** Names of the tenant's own making that must exist. */
  lookups?: string[];
  /** Everything but the context, unless it brings its own. */
  request(fixture: TenantFixture): Json | Promise<Json>;
  /** Waits for what the valid request set in motion. */
  settled?(fixture: TenantFixture, request: Json, answer: Json): Promise<void>;
  /** Fields of which one is needed, here or in the context. */
  either?: string;
  /** With an ID that does not exist this is no error, but has no effect either. */
  harmless?: string[];
}

const FULL = 'MMMM';
const WRITE = 'MMM-';
const READ = '--M-';
const text = (value: string) => Buffer.from(value).toString('base64');
const customData = { details: { custom_data: { a: 'b' } }, field_mask: 'customData' };
const personDetails = { details: { first_name: 'A' }, field_mask: 'firstName' };
const maskedDetails = ['details', 'field_mask'];

const voiceprints: Record<string, Case> = {
  ProcessAudio: {
    context: FULL,
    mandatory: ['gk_media_segment_id'],
    request: ({ ids }) => ({ gk_media_segment_id: id(ids.media) }),
  },
  Enroll: {
    context: FULL,
    mandatory: ['gk_voiceprint_profile_id', 'gk_processed_audio_id'],
    request: async (fixture) => ({
      gk_voiceprint_profile_id: id(await fixture.profile()),
      gk_processed_audio_id: id(fixture.ids.audio),
    }),
  },
  GetEnrollStatus: {
    context: FULL,
    mandatory: ['gk_voiceprint_profile_id'],
    request: ({ ids }) => ({ gk_voiceprint_profile_id: id(ids.personPrint) }),
  },
  Train: {
    context: FULL,
    mandatory: ['gk_voiceprint_profile_id'],
    request: async (fixture) => ({ gk_voiceprint_profile_id: id(await fixture.enrolledProfile()) }),
  },
  CheckWatchlistConsistency: {
    context: FULL,
    mandatory: [['watchlist', 'gk_voiceprint_profile_ids'], 'watchlist.unique_id'],
    request: ({ ids }) => ({ watchlist: { unique_id: id(ids.watchlist) } }),
  },
  Verify: {
    context: FULL,
    mandatory: [['gk_processed_audio_id', 'gk_media_segment_id'], 'gk_voiceprint_profile_id'],
    request: ({ ids }) => ({
      gk_processed_audio_id: id(ids.audio),
      gk_voiceprint_profile_id: id(ids.personPrint),
    }),
  },
  Identify: {
    context: FULL,
    mandatory: [['gk_processed_audio_id', 'gk_media_segment_id'], 'gk_voiceprint_profile_ids'],
    request: ({ ids }) => ({
      gk_processed_audio_id: id(ids.audio),
      gk_voiceprint_profile_ids: { unique_ids: [id(ids.personPrint)] },
    }),
  },
  DetectKnownFraudsters: {
    context: FULL,
    mandatory: [
      ['gk_processed_audio_id', 'gk_media_segment_id'],
      ['watchlist', 'gk_voiceprint_profile_ids'],
      'watchlist.unique_id',
    ],
    request: ({ ids }) => ({
      gk_processed_audio_id: id(ids.audio),
      watchlist: { unique_id: id(ids.watchlist) },
    }),
  },
  AnalyzeAudio: {
    context: FULL,
    mandatory: [['gk_processed_audio_id', 'gk_media_segment_id'], 'group.unique_id', 'watchlist.unique_id'],
    request: ({ ids }) => ({
      gk_processed_audio_id: id(ids.audio),
      gk_voiceprint_profile_ids: { unique_ids: [id(ids.personPrint)] },
      group: { unique_id: id(ids.group) },
      watchlist: { unique_id: id(ids.watchlist) },
    }),
  },
  DetectAudioSpoofing: {
    context: FULL,
    mandatory: ['gk_media_segment_id', 'syntheticSpeechDetectionParameters'],
    request: ({ ids }) => ({
      gk_media_segment_id: id(ids.media),
      gk_person_id: id(ids.person),
      syntheticSpeechDetectionParameters: {},
    }),
  },
  GetLivenessPrompt: { context: 'OOMM', mandatory: [], request: () => ({}) },
  ValidateText: {
    context: FULL,
    mandatory: ['gk_media_segment_id', 'expected_text'],
    request: ({ ids }) => ({
      gk_media_segment_id: id(ids.media),
      gk_person_id: id(ids.person),
      expected_text: 'seven three nine one',
    }),
  },
  DetectLiveness: {
    context: FULL,
    mandatory: ['gk_processed_audio_id', 'random_audio_set'],
    request: async (fixture) => ({
      gk_processed_audio_id: id(fixture.ids.audio),
      gk_person_id: id(fixture.ids.person),
      random_audio_set: [
        { gk_media_segment_id: id(await fixture.upload()), expected_text: await fixture.prompt() },
      ],
    }),
  },
};

const profiles: Record<string, Case> = {
  CreateVoiceprintProfile: {
    context: WRITE,
    mandatory: ['owner', ['owner.gk_person_id', 'owner'], 'owner.tag'],
    request: async (fixture) => ({ owner: { gk_person_id: id(await fixture.party('person')), tag: 'main' } }),
  },
  GetGkVoiceprintProfileId: {
    context: READ,
    mandatory: ['owner', ['owner.person_id', 'owner']],
    lookups: ['owner.person_id'],
    // A person that this tenant does not know has no print, and that is an answer.
    harmless: ['owner.person_id'],
    request: ({ name }) => ({ owner: { person_id: `${name}-person`, tag: 'main' } }),
  },
  GetVoiceprintProfileDetails: {
    context: READ,
    mandatory: ['gk_voiceprint_profile_id'],
    request: ({ ids }) => ({ gk_voiceprint_profile_id: id(ids.personPrint) }),
  },
  UpdateVoiceprintProfileDetails: {
    context: WRITE,
    mandatory: ['gk_voiceprint_profile_id', ...maskedDetails],
    request: ({ ids }) => ({ gk_voiceprint_profile_id: id(ids.personPrint), ...customData }),
  },
  ExecuteVoiceprintProfilesStatusJob: {
    context: READ,
    mandatory: ['owner_type'],
    request: () => ({ owner_type: 'OWNER_TYPE_FRAUDSTER' }),
    settled: (fixture, _request, answer) => fixture.jobDone((answer['gkJobId'] as { value: string }).value),
  },
  GetVoiceprintProfilesStatusJobDetails: {
    context: READ,
    mandatory: ['gk_job_id'],
    request: ({ ids }) => ({ gk_job_id: id(ids.job) }),
  },
  LockVoiceprintProfile: {
    context: WRITE,
    mandatory: ['gk_voiceprint_profile_id'],
    request: async (fixture) => ({ gk_voiceprint_profile_id: id(await fixture.profile()), reason: 'lost' }),
  },
  UnlockVoiceprintProfile: {
    context: WRITE,
    mandatory: ['gk_voiceprint_profile_id'],
    request: async (fixture) => ({ gk_voiceprint_profile_id: id(await fixture.profile()) }),
  },
  DeleteVoiceprintTemplate: {
    context: WRITE,
    mandatory: ['gk_voiceprint_profile_id'],
    request: async (fixture) => ({ gk_voiceprint_profile_id: id(await fixture.profile()) }),
  },
  DeleteVoiceprintProfile: {
    context: WRITE,
    mandatory: ['gk_voiceprint_profile_id'],
    request: async (fixture) => ({ gk_voiceprint_profile_id: id(await fixture.profile()), reason: 'moved' }),
  },
  ListEnrollmentSegments: {
    context: READ,
    mandatory: ['gk_voiceprint_profile_id'],
    request: ({ ids }) => ({ gk_voiceprint_profile_id: id(ids.personPrint) }),
  },
  RemoveEnrollmentSegment: {
    context: WRITE,
    mandatory: ['gk_voiceprint_profile_id', 'gk_processed_audio_id'],
    request: async (fixture) => ({
      gk_voiceprint_profile_id: id(await fixture.enrolledProfile()),
      gk_processed_audio_id: id(fixture.ids.audio),
    }),
  },
};

const sessions: Record<string, Case> = {
  StartEngagement: {
    context: '--MO',
    mandatory: [],
    request: (fixture) => ({ details: { engagement_id: fixture.fresh('engagement') } }),
  },
  StopEngagement: {
    context: 'M-MO',
    mandatory: [],
    request: async (fixture) => ({ context: await fixture.session() }),
  },
  UpdateEngagement: {
    context: READ,
    either: 'gk_engagement_id',
    mandatory: maskedDetails,
    request: ({ context }) => ({
      gk_engagement_id: context['gk_engagement_id'],
      details: { analyst_id: 'me' },
      field_mask: 'analystId',
    }),
  },
  GetEngagementDetails: {
    context: READ,
    either: 'gk_engagement_id',
    mandatory: [],
    request: ({ context }) => ({ gk_engagement_id: context['gk_engagement_id'] }),
  },
  SetEngagementVerdict: {
    context: READ,
    either: 'gk_engagement_id',
    mandatory: ['verdict'],
    request: async (fixture) => ({
      gk_engagement_id: (await fixture.session())['gk_engagement_id'],
      verdict: 'ENGAGEMENT_VERDICT_AUTHENTIC',
    }),
  },
  GetGkEngagementId: {
    context: READ,
    mandatory: ['engagement_id'],
    lookups: ['engagement_id'],
    request: async (fixture) => ({ engagement_id: (await fixture.engagement()).engagementId }),
  },
  ListCorrelatedEngagements: {
    context: READ,
    mandatory: ['correlation_id'],
    request: async (fixture) => ({ correlation_id: (await fixture.engagement()).correlationId }),
  },
  StartSession: {
    context: 'O-MO',
    mandatory: ['session_type'],
    request: ({ ids }) => ({
      session_type: 'SESSION_TYPE_IVR',
      details: { claimed_gk_person_id: id(ids.person) },
    }),
  },
  StopSession: {
    context: 'MMMO',
    mandatory: [],
    request: async (fixture) => ({ context: await fixture.session() }),
  },
  UpdateSession: {
    context: 'M-M-',
    either: 'gk_session_id',
    mandatory: maskedDetails,
    request: ({ context, ids }) => ({
      gk_session_id: context['gk_session_id'],
      details: { ani: '1', claimed_gk_person_id: id(ids.person) },
      field_mask: 'ani,claimedGkPersonId',
    }),
  },
  GetSessionDetails: {
    context: READ,
    either: 'gk_session_id',
    mandatory: [],
    request: ({ context }) => ({ gk_session_id: context['gk_session_id'] }),
  },
  GetSessionDecision: {
    context: 'M-MO',
    either: 'gk_session_id',
    mandatory: [],
    request: ({ context }) => ({ gk_session_id: context['gk_session_id'] }),
  },
};

/** What persons, fraudsters, groups and watchlists have in common. */
function entityCases(
  kind: 'person' | 'fraudster' | 'group' | 'watchlist',
  make: (fixture: TenantFixture) => Promise<string>,
  details: object,
): Record<string, Case> {
  const kindName = kind.charAt(0).toUpperCase() + kind.slice(1);
  const own = `${kind}_id`;
  const gk = `gk_${kind}_id`;
  return {
    [`Create${kindName}`]: {
      context: WRITE,
      mandatory: [own],
      request: (fixture) => ({ [own]: fixture.fresh(kind) }),
    },
    [`Rename${kindName}`]: {
      context: WRITE,
      mandatory: [gk, `new_${own}`],
      request: async (fixture) => ({ [gk]: id(await make(fixture)), [`new_${own}`]: fixture.fresh(kind) }),
    },
    [`Update${kindName}`]: {
      context: WRITE,
      mandatory: [gk, ...maskedDetails],
      request: ({ ids }) => ({ [gk]: id(ids[kind]), ...details }),
    },
    [`Get${kindName}Details`]: {
      context: READ,
      mandatory: [gk],
      request: ({ ids }) => ({ [gk]: id(ids[kind]) }),
    },
    [`GetGk${kindName}Id`]: {
      context: READ,
      mandatory: [own],
      lookups: [own],
      request: ({ name }) => ({ [own]: `${name}-${kind}` }),
    },
    [`Delete${kindName}`]: {
      context: WRITE,
      mandatory: [gk],
      request: async (fixture) => ({ [gk]: id(await make(fixture)) }),
    },
  };
}

function partyCases(kind: 'person' | 'fraudster'): Record<string, Case> {
  const gk = `gk_${kind}_id`;
  return {
    ...entityCases(kind, (fixture) => fixture.party(kind), personDetails),
    [`List${kind === 'person' ? 'Person' : 'Fraudster'}Profiles`]: {
      context: READ,
      mandatory: [gk],
      request: ({ ids }) => ({ [gk]: id(ids[kind]) }),
    },
  };
}

function collectionCases(kind: 'group' | 'watchlist'): Record<string, Case> {
  const [kindName, member, memberName] =
    kind === 'group' ? ['Group', 'person', 'Person'] : ['Watchlist', 'fraudster', 'Fraudster'];
  const party = member as 'person' | 'fraudster';
  const gk = `gk_${kind}_id`;
  const both = ({ ids }: TenantFixture) => ({ [gk]: id(ids[kind]), [`gk_${member}_id`]: id(ids[party]) });
  return {
    ...entityCases(kind, (fixture) => fixture.collection(kind), customData),
    [`Add${memberName}To${kindName}`]: {
      context: WRITE,
      mandatory: [gk, `gk_${member}_id`],
      request: async (fixture) => ({
        [gk]: id(await fixture.collection(kind)),
        [`gk_${member}_id`]: id(fixture.ids[party]),
      }),
    },
    [`Remove${memberName}sFrom${kindName}`]: {
      context: WRITE,
      mandatory: [gk, `gk_${member}_ids`],
      harmless: [`gk_${member}_ids[0]`],
      request: async (fixture) => ({
        [gk]: id(await fixture.collection(kind)),
        [`gk_${member}_ids`]: [id(await fixture.party(party))],
      }),
    },
    [`List${kindName}${memberName}s`]: {
      context: READ,
      mandatory: [gk],
      request: ({ ids }) => ({ [gk]: id(ids[kind]) }),
    },
    [`Is${memberName}In${kindName}`]: {
      context: READ,
      mandatory: [gk, `gk_${member}_id`],
      harmless: [`gk_${member}_id`],
      request: both,
    },
  };
}

const consent: Record<string, Case> = {
  OptPersonIn: {
    context: WRITE,
    mandatory: ['gk_person_id'],
    request: async (fixture) => ({ gk_person_id: id(await fixture.party('person')) }),
  },
  OptPersonOut: {
    context: WRITE,
    mandatory: ['gk_person_id'],
    request: async (fixture) => ({
      context: await fixture.session(),
      gk_person_id: id(await fixture.party('person')),
      reason: 'no',
      days_for_opt_in: 3,
    }),
  },
  DeletePersonalData: {
    context: WRITE,
    mandatory: ['gk_person_id'],
    request: async (fixture) => ({ gk_person_id: id(await fixture.party('person')) }),
    settled: (fixture, request) => fixture.erased((request['gk_person_id'] as { value: string }).value),
  },
};

const media: Record<string, Case> = {
  GetUploadUrl: {
    context: WRITE,
    mandatory: ['container'],
    request: () => ({ container: 'CONTAINER_WAV' }),
  },
  GetDownloadUrl: {
    context: READ,
    mandatory: ['gk_media_segment_id'],
    request: ({ ids }) => ({ gk_media_segment_id: id(ids.media) }),
  },
  GetProcessedAudioDetails: {
    context: READ,
    mandatory: ['gk_processed_audio_id'],
    request: ({ ids }) => ({ gk_processed_audio_id: id(ids.audio) }),
  },
  UpdateProcessedAudioDetails: {
    context: WRITE,
    mandatory: ['gk_processed_audio_id', ...maskedDetails],
    request: ({ ids }) => ({ gk_processed_audio_id: id(ids.audio), ...customData }),
  },
  GetMediaSegmentDetails: {
    context: READ,
    mandatory: ['gk_media_segment_id'],
    request: ({ ids }) => ({ gk_media_segment_id: id(ids.media) }),
  },
  UpdateMediaSegmentDetails: {
    context: WRITE,
    mandatory: ['gk_media_segment_id', ...maskedDetails],
    request: ({ ids }) => ({
      gk_media_segment_id: id(ids.media),
      details: { gk_person_id: id(ids.person) },
      field_mask: 'gkPersonId',
    }),
  },
  DeleteMediaSegment: {
    context: WRITE,
    mandatory: ['gk_media_segment_id'],
    request: async (fixture) => ({ gk_media_segment_id: id(await fixture.upload()) }),
  },
};

const operational = { type: 'CONFIGSET_TYPE_OPERATIONAL' };
const allBytes = { expected_format: 'CONFIGSET_FORMAT_ALL_BYTES' };

const configsets: Record<string, Case> = {
  CreateConfigset: {
    context: READ,
    mandatory: ['configset_id', 'type', 'raw_content'],
    request: (fixture) => ({ configset_id: fixture.fresh('set'), ...operational, raw_content: text('{}') }),
  },
  ValidateConfigsetRevision: {
    context: READ,
    mandatory: ['gk_configset_revision_id'],
    request: async (fixture) => ({ gk_configset_revision_id: id(await fixture.revision()) }),
  },
  ActivateConfigsetRevision: {
    context: READ,
    mandatory: ['gk_configset_revision_id'],
    request: async (fixture) => ({ gk_configset_revision_id: id(await fixture.revision()) }),
  },
  ListConfigsetRevisions: { context: READ, mandatory: [], request: () => ({}) },
  GetConfigset: {
    context: READ,
    mandatory: ['configset_id', 'expected_format'],
    lookups: ['configset_id'],
    request: async (fixture) => ({ configset_id: await fixture.configset(), ...allBytes }),
  },
  GetConfigsetRevision: {
    context: READ,
    mandatory: ['gk_configset_revision_id', 'expected_format'],
    request: ({ ids }) => ({ gk_configset_revision_id: id(ids.revision), ...allBytes }),
  },
  UpdateConfigsetDetails: {
    context: READ,
    mandatory: ['configset_id', ...maskedDetails],
    lookups: ['configset_id'],
    request: async (fixture) => ({
      configset_id: await fixture.configset(),
      details: { description: 'd' },
      field_mask: 'description',
    }),
  },
  DeleteConfigset: {
    context: READ,
    mandatory: ['configset_id'],
    lookups: ['configset_id'],
    request: async (fixture) => ({ configset_id: await fixture.configset() }),
  },
  DeleteConfigsetRevision: {
    context: READ,
    mandatory: ['gk_configset_revision_id'],
    request: async (fixture) => ({ gk_configset_revision_id: id(await fixture.revision()) }),
  },
  CreateTemplate: {
    context: READ,
    mandatory: ['template_id', 'type', 'raw_content'],
    request: (fixture) => ({
      template_id: fixture.fresh('template'),
      ...operational,
      raw_content: text('{}'),
    }),
  },
  ListTemplates: { context: READ, mandatory: [], request: () => ({}) },
  GetTemplate: {
    context: READ,
    mandatory: ['template_id', 'expected_format'],
    lookups: ['template_id'],
    request: async (fixture) => ({ template_id: await fixture.template(), ...allBytes }),
  },
  DeleteTemplate: {
    context: READ,
    mandatory: ['template_id'],
    lookups: ['template_id'],
    request: async (fixture) => ({ template_id: await fixture.template() }),
  },
  GenerateTemplate: {
    context: READ,
    mandatory: ['template_id', 'type'],
    request: () => ({ template_id: 'IVRTextDependent', ...operational }),
  },
};

const calibrations: Record<string, Case> = {
  CreateCalibrationModel: {
    context: WRITE,
    mandatory: ['calibration_model_id', 'type'],
    request: (fixture) => ({
      calibration_model_id: fixture.fresh('model'),
      type: 'CALIBRATION_MODEL_TYPE_VOICEPRINTS',
    }),
  },
  UpdateCalibrationModel: {
    context: WRITE,
    mandatory: ['calibration_model_id', ...maskedDetails],
    lookups: ['calibration_model_id'],
    request: async (fixture) => {
      const name = fixture.fresh('model');
      await fixture.calibration('UPLOADED', name);
      return { calibration_model_id: name, details: { description: 'd' }, field_mask: 'description' };
    },
  },
  ValidateCalibrationModelRevision: {
    context: FULL,
    mandatory: ['gk_calibration_model_revision_id'],
    request: async (fixture) => ({
      gk_calibration_model_revision_id: id(await fixture.calibration('UPLOADED')),
    }),
  },
  ActivateCalibrationModelRevision: {
    context: WRITE,
    mandatory: ['gk_calibration_model_revision_id'],
    request: async (fixture) => ({
      gk_calibration_model_revision_id: id(await fixture.calibration('VALIDATED')),
    }),
  },
  DeactivateCalibrationModelRevision: {
    context: WRITE,
    mandatory: ['gk_calibration_model_revision_id'],
    request: async (fixture) => ({
      gk_calibration_model_revision_id: id(await fixture.calibration('ACTIVE')),
    }),
  },
  ListCalibrationModelRevisions: { context: READ, mandatory: [], request: () => ({}) },
  DownloadCalibrationModelRevision: {
    context: READ,
    mandatory: ['gk_calibration_model_revision_id'],
    request: ({ ids }) => ({ gk_calibration_model_revision_id: id(ids.calibration) }),
  },
};

export const cases: Readonly<Record<string, Case>> = {
  ...voiceprints,
  ...profiles,
  ...sessions,
  ...partyCases('person'),
  ...partyCases('fraudster'),
  ...collectionCases('group'),
  ...collectionCases('watchlist'),
  ...consent,
  ...media,
  ...configsets,
  ...calibrations,
};
