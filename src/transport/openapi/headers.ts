// The headers that calls and answers may have, whatever the operation: for the API page.

export interface HeaderNote {
  name: string;
  in: 'request' | 'answer' | 'request and the answer';
  text: string;
}

export const headerNotes: readonly HeaderNote[] = [
  {
    name: 'Authorization',
    in: 'request',
    text: '"Bearer" and an access token. Every operation needs one, except those that say otherwise.',
  },
  {
    name: 'Idempotency-Key',
    in: 'request',
    text: 'Your name for a POST, such as a UUID, with 1 to 255 characters. The same call with the same key within 24 hours gets the first answer and does nothing. Over gRPC: metadata idempotency-key.',
  },
  {
    name: 'X-Request-Timeout-Ms',
    in: 'request',
    text: 'How long you wait, in milliseconds. After that the call ends with DEADLINE_EXCEEDED. Over gRPC: the deadline of the call.',
  },
  {
    name: 'X-Request-Id',
    in: 'request and the answer',
    text: 'Identifies this call in the server log: your own value, or one the server makes. Quote it when you ask for help.',
  },
  {
    name: 'Traceparent',
    in: 'request',
    text: 'The trace that this call belongs to (W3C Trace Context); the spans of the server become part of it.',
  },
  {
    name: 'Retry-After',
    in: 'answer',
    text: 'With 429, 503 and some 409: how many seconds to wait before you send the same call again. Over gRPC: retry_info of the status.',
  },
  {
    name: 'Idempotency-Replayed',
    in: 'answer',
    text: '"true" if the answer is that of an earlier call with the same Idempotency-Key.',
  },
];
