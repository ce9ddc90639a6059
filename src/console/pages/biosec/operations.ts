// Operations and record types as people would say them.

const operations: Readonly<Record<string, string>> = {
  StartEngagement: 'Engagement began',
  StopEngagement: 'Engagement ended',
  UpdateEngagement: 'Engagement changed',
  SetEngagementVerdict: 'Verdict given',
  StartSession: 'Session began',
  StopSession: 'Session ended',
  UpdateSession: 'Session changed',
  GetUploadUrl: 'Recording received',
  ProcessAudio: 'Recording examined',
  DeleteMediaSegment: 'Recording deleted',
  ExpireMediaSegment: 'Recording deleted after its time',
  Verify: 'Voice compared with the voiceprint',
  Identify: 'Voice looked for in a group',
  DetectKnownFraudsters: 'Voice checked against a watchlist',
  AnalyzeAudio: 'Recording analyzed',
  DetectAudioSpoofing: 'Checked whether a live person speaks',
  Enroll: 'Take added to a voiceprint',
  Train: 'Voiceprint trained',
  RemakeTemplate: 'Voiceprint brought up to date',
  CreateVoiceprintProfile: 'Voiceprint begun',
  DeleteVoiceprintProfile: 'Voiceprint deleted',
  CreatePerson: 'Person added',
  DeletePerson: 'Person deleted',
  OptPersonIn: 'Person opted in',
  OptPersonOut: 'Person opted out',
  DeletePersonalData: 'Personal data erased',
  CreateFraudster: 'Fraudster added',
  DeleteFraudster: 'Fraudster deleted',
  CreateGroup: 'Group made',
  CreateWatchlist: 'Watchlist made',
  CreateConfigset: 'Config set saved',
};

/** Two checks are written down under one operation. */
const attacks: Readonly<Record<string, string>> = {
  SYNTHETIC_SPEECH: 'Checked for synthetic speech',
  CHANNEL_PLAYBACK: 'Checked for playback of a recording',
};

export function operationWords(operation: string | undefined, factor?: string): string {
  if (!operation) return '-';
  const known = attacks[factor ?? ''] ?? operations[operation];
  if (known) return known;
  const plain = operation.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

const records: Readonly<Record<string, string>> = {
  FACTORS_AUDIT_INFO: 'Voice check',
  ANTI_SPOOFING_AUDIT_INFO: 'Attack check',
  RISK_ENGINE: 'Risk',
  DELETE_PERSONAL_DATA: 'Erasure asked for',
  PERSONAL_DATA_DELETED: 'Erasure done',
  SCOPE: 'Tenant and config sets',
  JOBS: 'Jobs',
};

/** `RECORD_TYPE_MEDIA_EVENT` is "Media". */
export function recordWords(recordType: string | undefined): string {
  const bare = (recordType ?? '').replace(/^RECORD_TYPE_/, '').replace(/_EVENT$/, '');
  const plain = bare.toLowerCase().replaceAll('_', ' ');
  return records[bare] ?? (plain === '' ? '-' : plain.charAt(0).toUpperCase() + plain.slice(1));
}
