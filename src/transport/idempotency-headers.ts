// Headers, and gRPC metadata, of calls that may be repeated.

/** The caller's name for what it wants done once. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';
/** Says that an answer is that of an earlier call. */
export const REPEATED_HEADER = 'idempotency-replayed';
