// The AsyncAPI 3 document of the streams: what each way in takes, and what it answers. Our own messages come from the same
// descriptors as everything else; the dialects of others are described as far as we speak them.
import type { DescMessage } from '@bufbuild/protobuf';
import {
  ListenRequestSchema,
  ListenResponseSchema,
  LiveCallInfoSchema,
  LiveEventSchema,
} from '../../gen/voxgate/live/v1/live_pb.js';
import { SchemaCollector, type JsonSchema } from '../openapi/schema.js';

interface Message {
  name: string;
  contentType: string;
  summary: string;
  payload: JsonSchema;
}

interface Channel {
  address: string;
  description: string;
  /** Names of messages that we take, and that we send. */
  takes: readonly string[];
  sends: readonly string[];
  parameters?: Record<string, { description: string }>;
}

export interface AsyncApiDocument {
  asyncapi: string;
  info: { title: string; version: string; description: string };
  defaultContentType: string;
  channels: Record<string, unknown>;
  operations: Record<string, unknown>;
  components: {
    schemas: Record<string, JsonSchema>;
    messages: Record<string, Message>;
    securitySchemes: Record<string, unknown>;
  };
}

const JSON_TYPE = 'application/json';
const BYTES_TYPE = 'application/octet-stream';

const text = (values?: readonly string[]): JsonSchema => ({
  type: 'string',
  ...(values && { enum: [...values] }),
});
const number: JsonSchema = { type: 'number' };
const anything: JsonSchema = { type: 'object' };
const object = (properties: Record<string, JsonSchema>, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  required: [...required],
});

/** What a message of AudioHook says of a call. */
function audiohookEvent(): JsonSchema {
  const cause = object({ check: text(), reason: text(), measures: { type: 'array', items: text() } }, [
    'check',
    'reason',
    'measures',
  ]);
  return object(
    {
      liveCallId: text(),
      state: text(),
      reason: text(),
      risk: number,
      reliability: number,
      netSpeechMs: number,
      positionMs: number,
      sequence: number,
      at: text(),
      score: number,
      gkVoiceprintProfileId: text(),
      final: { type: 'boolean' },
      endReason: text(),
      assessment: object(
        {
          headline: text(),
          tone: text(),
          causes: { type: 'array', items: cause },
          caveats: { type: 'array', items: text() },
          unresolvedChecks: { type: 'array', items: text() },
          missingChecks: { type: 'array', items: text() },
          unavailableChecks: { type: 'array', items: text() },
        },
        ['headline', 'tone'],
      ),
      prompt: object(
        { state: text(), expectedText: text(), detectedText: text(), reason: text(), delayMs: number },
        ['state', 'expectedText'],
      ),
    },
    ['liveCallId', 'state', 'reason', 'netSpeechMs', 'positionMs', 'sequence', 'at', 'final'],
  );
}

/** What AudioHook's server side says: numbered, and each answering the last message of the client that it knows. */
function audiohookAnswer(): JsonSchema {
  const media = object(
    {
      type: text(['audio']),
      format: text(['PCMU']),
      channels: { type: 'array', items: text() },
      rate: number,
    },
    ['type', 'format', 'channels', 'rate'],
  );
  const data = audiohookEvent();
  const entity = object({ type: text(['voxgate.live']), data }, ['type', 'data']);
  const parameters: JsonSchema = {
    type: 'object',
    properties: {
      startPaused: { type: 'boolean' },
      media: { type: 'array', items: media },
      entities: { type: 'array', items: entity },
      reason: text(['completed', 'unauthorized', 'error']),
      info: text(),
    },
  };
  const types = [
    'opened',
    'pong',
    'updated',
    'event',
    'pause',
    'resume',
    'reconnect',
    'disconnect',
    'closed',
  ];
  return object(
    { version: text(['2']), id: text(), type: text(types), seq: number, clientseq: number, parameters },
    ['version', 'id', 'type', 'seq', 'clientseq', 'parameters'],
  );
}

function audiohookMessage(): JsonSchema {
  const types = ['open', 'ping', 'paused', 'resumed', 'discarded', 'update', 'close', 'error'];
  return object(
    {
      version: text(['2']),
      id: text(),
      type: text(types),
      seq: number,
      serverseq: number,
      position: text(),
      parameters: anything,
    },
    ['version', 'id', 'type', 'seq'],
  );
}

const channels: Readonly<Record<string, Channel>> = {
  live: {
    address: '/v1/live',
    description: 'Our own WebSocket: the messages of LiveAudio.Listen as JSON, audio as binary messages.',
    takes: ['listenRequest', 'audio'],
    sends: ['listenResponse'],
  },
  events: {
    address: '/v1/live/{liveCallId}/events',
    description:
      'The events of one call as server-sent events; `id` is the sequence. Ends with the call. `?progress=1` adds those with the name `progress`.',
    takes: [],
    sends: ['liveEvent', 'liveProgress'],
    parameters: {
      liveCallId: { description: 'The ID of the call, from PrepareCall or from its first event.' },
    },
  },
  audiohook: {
    address: '/v1/live/audiohook',
    description: 'Genesys AudioHook, version 2. The call is prepared under its conversation ID.',
    takes: ['audiohookMessage', 'audio'],
    sends: ['audiohookAnswer'],
  },
  twilio: {
    address: '/v1/live/twilio',
    description: 'Twilio Media Streams and compatible systems. Nothing is sent back.',
    takes: ['twilioMessage'],
    sends: [],
  },
  stream: {
    address: '/v1/live/stream',
    description:
      'Vonage, jambonz, FreeSWITCH and Asterisk: one text message, recognized by its content, then binary audio. Nothing is sent back.',
    takes: ['firstText', 'audio'],
    sends: [],
  },
};

export function buildAsyncApi(version: string): AsyncApiDocument {
  const collector = new SchemaCollector();
  const messages = messagesBy(collector);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Voxgate live audio',
      version,
      description: 'Streams for listening to calls while they run: audio in, decisions out.',
    },
    defaultContentType: JSON_TYPE,
    channels: Object.fromEntries(
      Object.entries(channels).map(([name, channel]) => [name, channelOf(channel)]),
    ),
    operations: Object.fromEntries(
      Object.entries(channels).flatMap(([name, channel]) => operationsOf(name, channel)),
    ),
    components: {
      schemas: collector.schemas,
      messages,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An access token of the token service.' },
      },
    },
  };
}

/** By name; the schemas of our own are collected as they are referred to. */
function messagesBy(collector: SchemaCollector): Record<string, Message> {
  const own = (schema: DescMessage, name: string, summary: string): Message => ({
    name,
    contentType: JSON_TYPE,
    summary,
    payload: collector.ref(schema),
  });
  const json = (name: string, summary: string, payload: JsonSchema): Message => ({
    name,
    contentType: JSON_TYPE,
    summary,
    payload,
  });
  return {
    listenRequest: own(
      ListenRequestSchema,
      'ListenRequest',
      'The start of a call, audio in base64, or the end of the call.',
    ),
    listenResponse: own(ListenResponseSchema, 'ListenResponse', 'An event, and how to resume.'),
    liveEvent: own(LiveEventSchema, 'LiveEvent', 'A change of the decision, or the end of the call.'),
    liveProgress: own(
      LiveCallInfoSchema,
      'LiveProgress',
      'How much has been said so far, and what the agent has reported.',
    ),
    audio: {
      name: 'Audio',
      contentType: BYTES_TYPE,
      summary:
        'Audio in the format of the stream, at most 1,048,576 bytes a message (262,144 before the first answer); for Opus, one packet.',
      payload: { type: 'string', format: 'binary' },
    },
    audiohookMessage: json('AudioHookMessage', 'A message of the AudioHook client.', audiohookMessage()),
    audiohookAnswer: json('AudioHookAnswer', 'A message of the AudioHook server.', audiohookAnswer()),
    twilioMessage: json(
      'TwilioMessage',
      'connected, start, media, dtmf, mark or stop; the stream token is a custom parameter of start.',
      object({ event: text(), start: anything, media: anything, stop: anything }, ['event']),
    ),
    firstText: {
      name: 'FirstText',
      contentType: 'text/plain',
      summary: 'JSON of Vonage, jambonz or FreeSWITCH, or MEDIA_START of Asterisk.',
      payload: { type: 'string' },
    },
  };
}

function channelOf({ address, description, takes, sends, parameters }: Channel): object {
  const messages = [...takes, ...sends].map((name) => [name, { $ref: `#/components/messages/${name}` }]);
  return { address, description, ...(parameters && { parameters }), messages: Object.fromEntries(messages) };
}

/** Seen from the server, as AsyncAPI has it. */
function operationsOf(name: string, { takes, sends }: Channel): [string, object][] {
  const operation = (action: 'receive' | 'send', messages: readonly string[]): [string, object][] =>
    messages.length === 0
      ? []
      : [
          [
            `${action}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
            {
              action,
              channel: { $ref: `#/channels/${name}` },
              messages: messages.map((message) => ({ $ref: `#/channels/${name}/messages/${message}` })),
            },
          ],
        ];
  return [...operation('receive', takes), ...operation('send', sends)];
}
