// English: the installation itself.
import type {
  HealthJson,
  KeyPurposeJson,
  KeyStateJson,
  ModelKindJson,
} from '../../../gen/voxgate/management/v1/system_pb.js';
import { percent } from '../tools.js';

const health: Record<HealthJson, string> = {
  HEALTH_UNSPECIFIED: '–',
  HEALTH_OK: 'OK',
  HEALTH_DEGRADED: 'Degraded',
  HEALTH_DOWN: 'Down',
};

const kinds: Record<ModelKindJson, string> = {
  MODEL_KIND_UNSPECIFIED: '–',
  MODEL_KIND_SPEAKER: 'Speaker',
  MODEL_KIND_VOICE_ACTIVITY: 'Voice activity',
  MODEL_KIND_SYNTHETIC_SPEECH: 'Synthetic speech',
  MODEL_KIND_CHANNEL_PLAYBACK: 'Playback',
};

const purposes: Record<KeyPurposeJson, string> = {
  KEY_PURPOSE_UNSPECIFIED: '–',
  KEY_PURPOSE_SIGNING: 'Signing',
  KEY_PURPOSE_SEALING: 'Encryption at rest',
};

const keyStates: Record<KeyStateJson, string> = {
  KEY_STATE_UNSPECIFIED: '–',
  KEY_STATE_PENDING: 'Pending',
  KEY_STATE_ACTIVE: 'Active',
  KEY_STATE_RETIRING: 'Retiring',
  KEY_STATE_RETIRED: 'Retired',
};

export const text = {
  title: 'System',
  about: 'What this installation consists of, whether it is working, and how much it does.',
  loading: 'Loading system information',
  health,
  kinds,
  purposes,
  keyStates,
  databases: { sqlite: 'SQLite, embedded', postgres: 'PostgreSQL' } as Readonly<Record<string, string>>,
  components: {
    database: 'Database',
    disk: 'Disk space',
    home: 'Data folder',
    'master key': 'Master key',
    'voice engine': 'Voice engine',
  } as Readonly<Record<string, string>>,
  facts: {
    dimension: 'Numbers per voiceprint',
    experimental: 'Experimental',
  } as Readonly<Record<string, string>>,
  status: {
    title: 'Health',
    allOk: 'All systems operational',
    problem: 'Something is wrong',
    version: 'Version',
    since: 'Running since',
    node: 'Host and process',
    database: 'Database',
    caption: 'Components',
    component: 'Component',
    health: 'Health',
    message: 'Message',
    noMessage: 'Nothing to report',
  },
  models: {
    title: 'Models and calibration',
    hint: 'Every voiceprint and every decision names the revision it was made with.',
    none: 'No models are loaded',
    noneText: 'Without models nothing can be recognized. See the installation guide.',
    model: 'Model',
    revision: 'Revision',
    calibration: 'Calibration',
    falseAccepts: (rate: number) => `Score at ${percent(rate, 4)} false accepts`,
  },
  keys: {
    title: 'Keys',
    key: 'Key',
    for: 'For',
    state: 'State',
    algorithm: 'Algorithm',
    created: 'Created',
    validUntil: 'Valid until',
    rotate: 'Rotate signing key',
    rotateText:
      'New tokens will be signed with a new key. Services that cache our public keys fetch them again if they follow the JWKS.',
    rotateAction: 'Rotate key',
    rotated: 'New signing key created. The old one stays valid until its tokens have expired.',
    compromised: 'Somebody else may have the current key',
    compromisedHint:
      'It is dropped at once on every server: all tokens signed with it stop working, and everybody signs in again.',
    dropped: 'New signing key created. No server accepts the old one any more.',
    unconfirmed: (names: readonly string[]) =>
      `New signing key created. These servers have not confirmed that they dropped the old one; make sure that they are stopped: ${names.join(', ')}`,
    word: 'rotate',
  },
  traffic: {
    title: 'Throughput and latency',
    span: 'Period',
    spans: { '3600': 'Last hour', '21600': 'Last 6 hours', '86400': 'Last day' },
    operation: 'Operation',
    all: 'All',
    loading: 'Loading measurements',
    none: 'No measurements yet',
    noneText: 'They begin with the first calls after the start.',
    throughput: 'Throughput',
    latency: 'Latency',
    time: 'Time',
    callsAxis: 'Calls per second',
    latencyAxis: 'Milliseconds',
    calls: 'Calls',
    errors: 'Errors',
    half: 'Median',
    p95: '95th percentile',
    p99: '99th percentile',
    highest: (value: string) => `Peak: ${value} calls per second.`,
    slowest: (value: string) => `At the worst moment, the slowest 5% took at least ${value} ms.`,
  },
};
