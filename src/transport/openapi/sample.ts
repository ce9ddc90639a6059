// A first request for the reader to copy, which the server takes as it is written. It holds what the contract calls mandatory
// and nothing else; what earlier answers gave stands in variables. Here as a curl command; code-samples.ts has the
// same in other languages. A test runs every one of them.
import { ScalarType, type DescField, type DescMessage, type DescMethod } from '@bufbuild/protobuf';
import type { HttpBinding } from '../rest/http-rules.js';
import { CONTEXT, IDENTIFIER, commentOn } from './mandatory.js';

const FIELD_MASK = 'google.protobuf.FieldMask';
/** Operations on tenants themselves happen in none. */
const TENANTS_PACKAGE = 'vendor.biosec.v1.scopes.';
const DEPTH_MAX = 4;

const wellKnown: Readonly<Record<string, unknown>> = {
  'google.protobuf.Timestamp': '2026-01-31T12:00:00Z',
  'google.protobuf.Duration': '3.5s',
  'google.protobuf.BoolValue': true,
  'google.protobuf.StringValue': 'example',
};

/** What a request needs beside what is always mandatory: one of several that may be left out, but not all of them. */
const alsoNeeded: Readonly<Record<string, readonly string[]>> = {
  'vendor.biosec.v1.voiceprint.AnalyzeAudioRequest': ['watchlist'],
  'vendor.biosec.v1.audio.DetectAudioSpoofingRequest': ['syntheticSpeechDetectionParameters'],
  'vendor.biosec.v1.voiceprint.OwnerAndTag': ['tag'],
  'voxgate.live.v1.PrepareCallRequest': ['target'],
  'voxgate.live.v1.LiveTarget': ['watchlist'],
  'voxgate.live.v1.ListCallsRequest': ['gk_scope_id'],
  'voxgate.management.v1.UrnParts': ['kind', 'context_tag', 'language'],
  'voxgate.management.v1.AgentGroup': ['business_unit_id', 'name'],
};

/** Values that cannot be told from the type of their field. */
const values: Readonly<Record<string, unknown>> = {
  'vendor.biosec.v1.scopes.SetScopeStateRequest.scope_state': 'SCOPE_STATE_ACTIVE',
  'vendor.biosec.v1.audio.ValidateTextRequest.expected_text': 'seven three nine one',
  'vendor.biosec.v1.audio.RandomAudio.expected_text': 'seven three nine one',
  'voxgate.biosec.v1.SuggestThresholdRequest.target_false_accept_rate': 0.01,
  'voxgate.biosec.v1.TrialList.text': 'target 2.5\nnontarget -1.5',
  'voxgate.batch.v1.StartEnrollmentBatchRequest.manifest':
    'speaker_id,consent,media\nanna,yes,00000000-0000-4000-8000-000000000001',
  'voxgate.batch.v1.StartFraudsterBatchRequest.manifest':
    'fraudster_id,media\nfred,00000000-0000-4000-8000-000000000001',
  'voxgate.batch.v1.StartCheckBatchRequest.manifest':
    'speaker_id,media\nanna,00000000-0000-4000-8000-000000000001',
  'voxgate.events.v1.CreateWebhookRequest.url': 'https://hooks.example.com/voxgate',
  'voxgate.events.v1.UpdateWebhookRequest.url': 'https://hooks.example.com/voxgate',
  'voxgate.management.v1.NewEnvironment.geographies': 'us',
  'voxgate.management.v1.UrnParts.language': 'eng-USA',
};

/** Members by their names in the contract. */
type Sample = Record<string, unknown>;

/** Names of fields, from the request inwards. */
type FieldPath = readonly string[];

/** A client of one's own, unless the environment names one. */
export const CREDENTIALS = [
  'export VOXGATE_SERVER=${VOXGATE_SERVER:-http://127.0.0.1:8080}',
  'if [ -z "${VOXGATE_CLIENT_SECRET:-}" ]; then',
  '  MADE=$(voxgate app create tutorial --tenant demo --json)',
  '  made() { node -p "JSON.parse(process.argv[1]).$1" "$MADE"; }',
  "  export VOXGATE_TENANT=$(made 'environments[0].tenants[0]')",
  "  export VOXGATE_CLIENT_ID=$(made 'clients[0].client_id') VOXGATE_CLIENT_SECRET=$(made 'clients[0].client_secret')",
  'fi',
].join('\n');

/** What a shell needs before the samples run: the server, a token, and a tenant. */
export function preparationSample(serverUrl: string): string {
  const pick = (member: string): string => `sed -E 's/.*"${member}":"([^"]*)".*/\\1/'`;
  return [
    `VOXGATE=${serverUrl === '/' ? 'http://127.0.0.1:8080' : serverUrl}`,
    'TOKEN=$(curl -s "$VOXGATE/oauth2/token" \\',
    '  --data-urlencode "client_id=$VOXGATE_CLIENT_ID" --data-urlencode "client_secret=$VOXGATE_CLIENT_SECRET" \\',
    `  -d grant_type=client_credentials -d scope=biosec | ${pick('access_token')})`,
    'GK_SCOPE_ID=$(curl -s "$VOXGATE/v1/scopes" -H "Authorization: Bearer $TOKEN" \\',
    `  | grep -o '"value":"[^"]*"' | cut -d '"' -f 4)`,
    '# where the client may use several tenants, choose one:',
    'echo "$GK_SCOPE_ID"; [ "$(echo "$GK_SCOPE_ID" | wc -l)" = 1 ] || unset GK_SCOPE_ID',
  ].join('\n');
}

/** What requests about a call need beside that: a session, and a person of its own with a trained voiceprint, so that no other is changed. */
export const CALL_SAMPLE = [
  `id_of() { sed -n 's/.*"'"$1"'":{"value":"\\([^"]*\\)".*/\\1/p' | head -n 1; }`,
  'post() { curl -s -X POST "$VOXGATE$1" -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d "$2"; }',
  'TENANT="\\"gkScopeId\\":{\\"value\\":\\"$GK_SCOPE_ID\\"}"',
  'STARTED=$(post /v1/sessions/start "{\\"context\\":{$TENANT},\\"sessionType\\":\\"SESSION_TYPE_CALL_CENTER\\"}")',
  'GK_SESSION_ID=$(echo "$STARTED" | id_of gkSessionId)',
  'GK_ENGAGEMENT_ID=$(echo "$STARTED" | id_of gkEngagementId)',
  'CALL="\\"context\\":{$TENANT,\\"gkSessionId\\":{\\"value\\":\\"$GK_SESSION_ID\\"},\\"gkEngagementId\\":{\\"value\\":\\"$GK_ENGAGEMENT_ID\\"},\\"configsetId\\":\\"SYSTEM\\"}"',
  'PERSON_ID="sample-$(date +%s)"',
  'OWNER="{$CALL,\\"owner\\":{\\"personId\\":\\"$PERSON_ID\\",\\"tag\\":\\"sample\\"}}"',
  'GK_VOICEPRINT_PROFILE_ID=$(post /v1/voiceprints/profiles "$OWNER" | id_of gkVoiceprintProfileId)',
  'PRINT="/v1/voiceprints/$GK_VOICEPRINT_PROFILE_ID"',
  'unset AUDIO',
  '# a folder with recordings of one voice, called 1 to 4; a checkout of Voxgate has one:',
  'for FILE in "${VOICES:-test/fixtures/voices/anna}"/[1234].*; do',
  '  [ -z "$AUDIO" ] || post "$PRINT/enrollment" "{$CALL,$AUDIO}" > /dev/null',
  '  UPLOAD=$(post /v1/audios/upload-url "{$CALL,\\"container\\":\\"CONTAINER_WAV\\"}")',
  '  GK_MEDIA_SEGMENT_ID=$(echo "$UPLOAD" | id_of gkMediaSegmentId)',
  `  curl -s -T "$FILE" "$(echo "$UPLOAD" | sed -n 's/.*"mediaUploadUrl":"\\([^"]*\\)".*/\\1/p')"`,
  '  MEDIA="\\"gkMediaSegmentId\\":{\\"value\\":\\"$GK_MEDIA_SEGMENT_ID\\"}"',
  '  GK_PROCESSED_AUDIO_ID=$(post /v1/audios/process "{$CALL,$MEDIA,\\"isForEnrollment\\":true}" | id_of gkProcessedAudioId)',
  '  AUDIO="\\"gkProcessedAudioId\\":{\\"value\\":\\"$GK_PROCESSED_AUDIO_ID\\"}"',
  'done',
  'post "$PRINT/training" "{$CALL}"',
].join('\n');

/** The whole request in the names of its JSON, with what curl has in the path, too; `$GK_SCOPE_ID` is a variable. */
export function requestSample({ input }: DescMethod, { template }: HttpBinding): object {
  const sample = messageSample(input, 0);
  for (const segment of template.segments) {
    if (segment.kind !== 'variable') continue;
    const [name = '', inner] = segment.fieldPath;
    if (inner === undefined) sample[name] ??= variable(name);
    else {
      const holder = (sample[name] ??= {}) as Sample;
      holder[inner] ??= variable(inner === 'value' ? name : inner);
    }
  }
  return inCamelCase(sample) as object;
}

export function curlSample({ input }: DescMethod, { httpMethod, template, body }: HttpBinding): string {
  const inPath: FieldPath[] = [];
  const path = template.segments.map((segment) => {
    if (segment.kind === 'literal') return segment.text;
    inPath.push(segment.fieldPath);
    const [name = '', inner] = segment.fieldPath;
    // In braces: some shells read a colon behind a bare name as part of it.
    return `\${${variable(inner === 'value' ? name : (inner ?? name)).slice(1)}}${segment.verb}`;
  });
  const request = messageSample(input, 0, inPath);
  const url = `$VOXGATE/${path.join('/')}${body === undefined ? queryOf(request) : ''}`;
  const command = `curl${httpMethod === 'GET' ? '' : ` -X ${httpMethod}`} "${url}" \\\n  -H "Authorization: Bearer $TOKEN"`;
  if (body === undefined) return command;
  return `${command} \\\n  -H "Content-Type: application/json" -d @- <<JSON\n${JSON.stringify(inCamelCase(request), null, 2)}\nJSON`;
}

/** `without`: what the path of the request gives already. */
function messageSample(desc: DescMessage, depth: number, without: readonly FieldPath[] = []): Sample {
  const sample: Sample = {};
  const given = without.flatMap(([name = '', inner]) =>
    inner === undefined || inner === 'value' ? [name] : [],
  );
  for (const member of desc.members) {
    if (member.kind === 'oneof') {
      if (member.fields.some((field) => given.includes(field.name))) continue;
      const chosen = bestChoice(member.fields);
      if (chosen) sample[chosen.name] = valueOf(chosen, depth);
    } else if (!given.includes(member.name) && isShown(member)) {
      const inner = without.filter(([name]) => name === member.name).map((path) => path.slice(1));
      sample[member.name] = valueOf(member, depth, inner);
    }
  }
  const mask = desc.fields.find((field) => field.message?.typeName === FIELD_MASK);
  if (mask && mask.name in sample) sample[mask.name] = maskOf(desc, sample, given);
  return sample;
}

function isShown(field: DescField): boolean {
  if (field.message?.typeName === CONTEXT) return !field.parent.typeName.startsWith(TENANTS_PACKAGE);
  if (alsoNeeded[field.parent.typeName]?.includes(field.name)) return true;
  return /\bmandatory\b|^at least one|unless the context names it/i.test(commentOn(field));
}

/** One of several: a name rather than an object, an identifier rather than a list, bytes only where there is no choice. */
function bestChoice(fields: readonly DescField[]): DescField | undefined {
  const rank = ({ message, scalar }: DescField): number => {
    if (message) return message.typeName === IDENTIFIER ? 1 : message.typeName.includes('List') ? 3 : 2;
    return scalar === ScalarType.BYTES ? 4 : 0;
  };
  return [...fields].sort((a, b) => rank(a) - rank(b))[0];
}

function valueOf(field: DescField, depth: number, without: readonly FieldPath[] = []): unknown {
  const { message, name } = field;
  if (message?.typeName === CONTEXT) return contextSample(field);
  const one =
    message?.typeName === IDENTIFIER
      ? { value: variable(name === 'unique_id' ? 'gk_id' : name) }
      : message && !message.typeName.startsWith('google.protobuf.')
        ? innerSample(message, field, depth + 1, without)
        : message
          ? (wellKnown[message.typeName] ?? 1)
          : plainValue(field);
  return field.fieldKind === 'list' ? [one] : field.fieldKind === 'map' ? { example: one } : one;
}

/** What a message must hold; where it must hold nothing, one thing that it can. */
function innerSample(
  desc: DescMessage,
  holder: DescField,
  depth: number,
  without: readonly FieldPath[],
): Sample {
  const [group] = desc.fields;
  if (group?.name === 'unique_id') return { unique_id: { value: variable(`gk_${holder.name}_id`) } };
  if (group?.name === 'unique_ids') return { unique_ids: [{ value: variable(holder.name) }] };
  if (depth >= DEPTH_MAX) return {};
  const sample = messageSample(desc, depth, without);
  const first = desc.fields.find(isText) ?? desc.fields.find(({ fieldKind }) => fieldKind === 'map');
  if (Object.keys(sample).length === 0 && first) sample[first.name] = valueOf(first, depth);
  return sample;
}

/** The members that the comment on the field names; without a comment, those of a call that writes. */
function contextSample(field: DescField): Sample {
  const said = commentOn(field) || 'engagement, session and tenant mandatory';
  const [needed = ''] = /all four/i.test(said)
    ? ['engagement, session, config set']
    : said.toLowerCase().split('mandatory');
  return {
    ...(needed.includes('engagement') && { gk_engagement_id: { value: variable('gk_engagement_id') } }),
    ...(needed.includes('session') && { gk_session_id: { value: variable('gk_session_id') } }),
    gk_scope_id: { value: variable('gk_scope_id') },
    ...(needed.includes('config set') && { configset_id: 'SYSTEM' }),
  };
}

/** What is changed: the details that are sent, or the first text of the request, which is then sent too. */
function maskOf(desc: DescMessage, sample: Sample, without: readonly string[]): string {
  const details = sample['details'] as Sample | undefined;
  if (details) return Object.keys(details).join(',');
  const free = desc.fields.filter(({ name }) => !without.includes(name) && !(name in sample));
  const changed = free.find(isText) ?? free.find(({ fieldKind }) => fieldKind === 'scalar');
  if (!changed) return '';
  sample[changed.name] = plainValue(changed);
  return changed.name;
}

function plainValue(field: DescField): unknown {
  const { name, scalar } = field;
  const given = values[`${field.parent.typeName}.${name}`];
  if (given !== undefined) return given;
  if (field.enum) return (field.enum.values[1] ?? field.enum.values[0])?.name;
  if (scalar === ScalarType.STRING) return isGiven(name) ? variable(name) : 'example';
  if (scalar === ScalarType.BOOL) return true;
  return scalar === ScalarType.BYTES ? 'AAAA' : 1;
}

/** Texts that the reader has and nobody can make up. */
function isGiven(name: string): boolean {
  return /(^|_)(ids?|password|urn|json|token)$/.test(name);
}

function isText({ fieldKind, scalar }: DescField): boolean {
  return fieldKind === 'scalar' && scalar === ScalarType.STRING;
}

/** A list of identifiers is filled with one. */
function variable(name: string): string {
  return `$${name.replace(/_ids$/, '_id').toUpperCase()}`;
}

function queryOf(request: Sample): string {
  const pairs = pairsOf(request, '');
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function pairsOf(sample: Sample, prefix: string): string[] {
  return Object.entries(sample).flatMap(([name, value]): string[] =>
    (Array.isArray(value) ? value : [value]).flatMap((each: unknown) =>
      typeof each === 'object' && each !== null
        ? pairsOf(each as Sample, `${prefix}${name}.`)
        : [`${prefix}${name}=${String(each)}`],
    ),
  );
}

function inCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inCamelCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
      inCamelCase(inner),
    ]),
  );
}
