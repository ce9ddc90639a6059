// Calls with an idempotency key: what makes two of them the same call, and how an answer is stored and returned again.
import {
  fromBinary,
  getOption,
  hasOption,
  toBinary,
  type DescMethod,
  type Message,
} from '@bufbuild/protobuf';
import { createHash } from 'node:crypto';
import { http } from '../../gen/google/api/annotations_pb.js';
import type { Once } from '../../idempotency/once.js';
import type { Caller } from '../../platform.js';
import type { Exchange, UnaryIncoming } from './exchange.js';
import { succeeded } from './outcome.js';
import { clientKey } from './phases.js';

/** Whatever may be asked for by POST does something each time; the other verbs can be repeated as they are. */
export function takesKey(method: DescMethod): boolean {
  if (method.methodKind !== 'unary' || !hasOption(method, http)) return false;
  const rule = getOption(method, http);
  return [rule, ...rule.additionalBindings].some(({ pattern }) => pattern.case === 'post');
}

export class KeyedCalls {
  readonly #once: Once;

  constructor(once: Once) {
    this.#once = once;
  }

  /** How the handler is to be called; undefined for a call without a key. */
  around(
    exchange: Exchange<UnaryIncoming>,
  ): ((handle: () => Promise<object>) => Promise<Message>) | undefined {
    const { idempotencyKey: key } = exchange.incoming;
    if (key === undefined || !exchange.operation.takesKey) return undefined;
    const { output } = exchange.operation.method;
    return async (handle) => {
      const owner = clientKey(exchange.caller as Caller);
      const request = { owner, key, fingerprint: fingerprintOf(exchange) };
      const { answer, isRepeat } = await this.#once.answer(request, async () => {
        const message = succeeded(exchange, await handle());
        return {
          answer: toBinary(output, message),
          names: namesIn(exchange.request?.message, message),
        };
      });
      exchange.isRepeat = isRepeat;
      return fromBinary(output, answer);
    };
  }
}

/** The same for both transports, and for clients under another root package. */
function fingerprintOf({ operation: { method }, request }: Exchange): Uint8Array {
  return createHash('sha256')
    .update(`${method.parent.typeName}/${method.name}\n`)
    .update(toBinary(method.input, request?.message as Message))
    .digest();
}

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Of every call, and of nobody in particular. */
const ofNobody: ReadonlySet<string> = new Set(['gkScopeId', 'requestId']);

/** Our own IDs in these messages, wherever they stand. */
function namesIn(...messages: readonly unknown[]): ReadonlySet<string> {
  const names = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value === 'string' && idPattern.test(value)) names.add(value);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
    for (const [field, member] of Object.entries(value)) if (!ofNobody.has(field)) look(member);
  };
  look(messages);
  return names;
}
