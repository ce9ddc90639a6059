// @voxgate/client: what other programs import. packages/client makes a package of it.
export { Voxgate } from './voxgate.js';
export type { KeyedCallOptions, LiveOptions, SessionOptions, VoxgateOptions } from './voxgate.js';
export { VoxgateError } from './errors.js';
export type { ErrorCode, FieldProblem } from './errors.js';
export { EventFeed } from './event-feed.js';
export type { EventOptions } from './event-feed.js';
export { Session } from './session.js';
export type {
  CheckOptions,
  CheckResult,
  Decision,
  DecisionReason,
  EnrolledRecording,
  EnrollmentResult,
  EnrollOptions,
  SessionContext,
  SessionIds,
} from './session.js';
export { Names } from './names.js';
export type { PrintOwner, TenantContext, UniqueId } from './names.js';
export type { AudioPieces, Socket, SocketConstructor } from './live.js';
export type { Recording } from './recording.js';
export type { CallOptions, Fetch } from './http.js';
export type { GivenToken } from './tokens.js';
export type { AnswerOf, Method, RequestOf } from './contract.js';
export type { ItemOf, PagedMethod } from './pages.js';
export type { Calls } from '../gen/calls.js';
