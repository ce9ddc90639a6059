// How a service is offered: one descriptor, one set of handlers, one access rule. The gRPC server, the
// REST transcoder and the OpenAPI document are all derived from a list of these bindings.
import type {
  DescMethodBiDiStreaming,
  DescMethodServerStreaming,
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from '@bufbuild/protobuf';
import type { X509Certificate } from 'node:crypto';
import type { Call, Caller } from '../platform.js';

type UnaryHandler<M extends DescMethodUnary> = (
  call: Call,
  request: MessageShape<M['input']>,
) => Promise<MessageInitShape<M['output']>>;

type BiDiHandler<M extends DescMethodBiDiStreaming> = (
  call: Call,
  requests: AsyncIterable<MessageShape<M['input']>>,
) => AsyncIterable<MessageInitShape<M['output']>>;

type ServerStreamingHandler<M extends DescMethodServerStreaming> = (
  call: Call,
  request: MessageShape<M['input']>,
) => AsyncIterable<MessageInitShape<M['output']>>;

/** A handler for every method of the service; the compiler refuses a binding that leaves one out. */
export type Handlers<S extends DescService> = {
  [K in keyof S['method']]: S['method'][K] extends DescMethodUnary
    ? UnaryHandler<S['method'][K]>
    : S['method'][K] extends DescMethodBiDiStreaming
      ? BiDiHandler<S['method'][K]>
      : S['method'][K] extends DescMethodServerStreaming
        ? ServerStreamingHandler<S['method'][K]>
        : never;
};

/** OAuth scopes of which the token must hold one, for the whole service or per method (proto local name). */
export interface Access {
  anyOf: readonly string[];
  methods?: Readonly<Record<string, readonly string[]>>;
}

/** How many streams may be open at the same time. */
interface StreamPlaces {
  perClient: number;
  inAll: number;
}

export interface ServiceBinding {
  service: DescService;
  handlers: Readonly<Record<string, (call: Call, request: never) => unknown>>;
  access: Access;
  /** Where streams are the very business of a service: they have places of their own, and take none of other calls. */
  streams?: StreamPlaces;
}

export function bindService<S extends DescService>(
  service: S,
  access: Access,
  handlers: Handlers<S>,
  streams?: StreamPlaces,
): ServiceBinding {
  const bound = { service, access, handlers: handlers as unknown as ServiceBinding['handlers'] };
  return { ...bound, ...(streams && { streams }) };
}

/** Turns an Authorization header (and what it is bound to) into a caller, or throws UNAUTHENTICATED. */
export type Authenticate = (request: {
  authorization: string | undefined;
  dpop: string | undefined;
  method: string;
  url: string;
  address?: string;
  certificate?: X509Certificate | undefined;
}) => Promise<Caller>;
