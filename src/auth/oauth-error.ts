// Failures of the OAuth endpoints, as RFC 6749 section 5.2 and its extensions name them. They are not AppErrors:
// their codes, status and headers are fixed by the RFCs, and this table is the only place that knows them.

export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'request_not_supported'
  | 'unsupported_token_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'access_denied'
  | 'login_required'
  | 'consent_required'
  | 'invalid_dpop_proof'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'slow_down'
  | 'temporarily_unavailable'
  | 'server_error';

const oauthStatus: Readonly<Record<OAuthErrorCode, number>> = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  request_not_supported: 400,
  unsupported_token_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  access_denied: 403,
  login_required: 401,
  consent_required: 403,
  invalid_dpop_proof: 400,
  invalid_token: 401,
  insufficient_scope: 403,
  slow_down: 429,
  temporarily_unavailable: 503,
  server_error: 500,
};

interface OAuthErrorDetail {
  /** Set if the code's usual status does not fit, such as 405 for a GET. */
  status?: number;
  retryAfterMs?: number;
  /** For the operator's log only. */
  reason?: string;
  cause?: unknown;
}

export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly description: string;
  override readonly name = 'OAuthError';
  readonly status: number;
  readonly retryAfterMs: number | undefined;
  readonly reason: string | undefined;

  constructor(
    code: OAuthErrorCode,
    /** Sent as error_description: says what to fix and nothing about why credentials failed. */
    description: string,
    detail: OAuthErrorDetail = {},
  ) {
    super(`${code}: ${description}`, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.code = code;
    this.description = description;
    this.status = detail.status ?? oauthStatus[code];
    this.retryAfterMs = detail.retryAfterMs;
    this.reason = detail.reason;
  }
}
