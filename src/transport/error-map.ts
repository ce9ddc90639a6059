// The one table from AppError codes to what callers see: the in-body StatusCode, the HTTP status and the
// gRPC status. gRPC codes are used only for failures that do not travel inside a response message.
import { GrpcStatus } from './grpc-status.js';
import type { ErrorCode, Violation } from '../errors.js';
import { FieldViolation_ViolationType, StatusCode } from '../gen/vendor/rpc/status_pb.js';

interface ErrorMapping {
  /** Value of `status.status_code`; undefined when the failure never travels in a response body. */
  statusCode: StatusCode | undefined;
  http: number;
  grpc: GrpcStatus;
}

export const errorMap: Readonly<Record<ErrorCode, ErrorMapping>> = {
  UNAUTHENTICATED: { statusCode: undefined, http: 401, grpc: GrpcStatus.UNAUTHENTICATED },
  BAD_REQUEST: { statusCode: StatusCode.BAD_REQUEST, http: 400, grpc: GrpcStatus.INVALID_ARGUMENT },
  INVALID_REQUEST: { statusCode: StatusCode.INVALID_REQUEST, http: 400, grpc: GrpcStatus.INVALID_ARGUMENT },
  CANCELLED_CLIENT: { statusCode: StatusCode.CANCELLED_CLIENT, http: 499, grpc: GrpcStatus.CANCELLED },
  CANCELLED_SERVER: { statusCode: StatusCode.CANCELLED_SERVER, http: 500, grpc: GrpcStatus.ABORTED },
  DEADLINE_EXCEEDED: {
    statusCode: StatusCode.DEADLINE_EXCEEDED,
    http: 504,
    grpc: GrpcStatus.DEADLINE_EXCEEDED,
  },
  NOT_AUTHORIZED: { statusCode: StatusCode.NOT_AUTHORIZED, http: 403, grpc: GrpcStatus.PERMISSION_DENIED },
  PERMISSION_DENIED: {
    statusCode: StatusCode.PERMISSION_DENIED,
    http: 403,
    grpc: GrpcStatus.PERMISSION_DENIED,
  },
  NOT_FOUND: { statusCode: StatusCode.NOT_FOUND, http: 404, grpc: GrpcStatus.NOT_FOUND },
  ALREADY_EXISTS: { statusCode: StatusCode.ALREADY_EXISTS, http: 409, grpc: GrpcStatus.ALREADY_EXISTS },
  NOT_IMPLEMENTED: { statusCode: StatusCode.NOT_IMPLEMENTED, http: 501, grpc: GrpcStatus.UNIMPLEMENTED },
  UNKNOWN: { statusCode: StatusCode.UNKNOWN, http: 500, grpc: GrpcStatus.UNKNOWN },
  TOO_LARGE: { statusCode: StatusCode.TOO_LARGE, http: 413, grpc: GrpcStatus.RESOURCE_EXHAUSTED },
  BUSY: { statusCode: StatusCode.BUSY, http: 503, grpc: GrpcStatus.UNAVAILABLE },
  IN_PROGRESS: { statusCode: StatusCode.BUSY, http: 409, grpc: GrpcStatus.ABORTED },
  CONFLICT: { statusCode: StatusCode.INVALID_REQUEST, http: 409, grpc: GrpcStatus.ABORTED },
  OBSOLETE: { statusCode: StatusCode.OBSOLETE, http: 410, grpc: GrpcStatus.UNIMPLEMENTED },
  RATE_EXCEEDED: { statusCode: StatusCode.RATE_EXCEEDED, http: 429, grpc: GrpcStatus.UNAVAILABLE },
  QUOTA_EXCEEDED: { statusCode: StatusCode.QUOTA_EXCEEDED, http: 429, grpc: GrpcStatus.RESOURCE_EXHAUSTED },
  INTERNAL_ERROR: { statusCode: StatusCode.INTERNAL_ERROR, http: 500, grpc: GrpcStatus.INTERNAL },
};

export const violationMap: Readonly<Record<Violation, FieldViolation_ViolationType>> = {
  MANDATORY_FIELD_MISSING: FieldViolation_ViolationType.MANDATORY_FIELD_MISSING,
  FIELD_CONFLICT: FieldViolation_ViolationType.FIELD_CONFLICT,
  OUT_OF_RANGE: FieldViolation_ViolationType.OUT_OF_RANGE,
  INVALID_FORMAT: FieldViolation_ViolationType.INVALID_FORMAT,
  TOO_SHORT: FieldViolation_ViolationType.TOO_SHORT,
  TOO_LONG: FieldViolation_ViolationType.TOO_LONG,
  OTHER: FieldViolation_ViolationType.OTHER,
};
