// The server's refusals in words: the flat shape, the in-body status and OAuth's own dialect all become an
// ApiError. The text comes from the catalogue by the server's code, in the reader's language. Fetched with the first refusal, since
// most visits see none.
import { pathInRequest } from '../../client/contract.js';
import type { LocalizedMessageJson, StatusJson } from '../../gen/vendor/rpc/status_pb.js';
import { fieldWords, wholeWords } from '../format/refusal.js';
import { t } from '../text/refusals.js';
import { t as shell } from '../text/shell.js';
import { ApiError } from './errors.js';

export function errorFromStatus(status: StatusJson, httpStatus: number): ApiError {
  const code = status.statusCode ?? 'UNKNOWN';
  const fields = isGeneral(code)
    ? []
    : (status.fieldViolations ?? []).map((violation) => ({
        field: pathInRequest(violation.field ?? ''),
        message: fieldWords(violation, t),
      }));
  const details = (status.diagnosticDetails ?? []).flatMap((detail) => detail.code ?? []);
  const known = details.map((detail) => shell.errors.details[detail]).find((text) => text !== undefined);
  // The message for a request with wrong fields repeats the first of them under its internal name; others say
  // no more than their code, and the catalogue says it better.
  const own = fields.length > 0 || isGeneral(code) ? undefined : status.statusMessage;
  const general =
    fields.length > 0 ? shell.errors.fixFields : (shell.errors.codes[code] ?? shell.errors.refused);
  return new ApiError(known ?? (own?.message ? wholeWords(own, t) : general), {
    code,
    httpStatus: status.httpTransCode ?? httpStatus,
    fields,
    details,
    extras: Object.assign({}, ...(status.diagnosticDetails ?? []).map(({ extras }) => extras)) as Record<
      string,
      string
    >,
    requestId: status.requestInfo?.requestId,
  });
}

const isGeneral = (code: string): boolean =>
  ['INTERNAL_ERROR', 'NOT_FOUND', 'BUSY', 'RATE_EXCEEDED', 'TOO_LARGE', 'DEADLINE_EXCEEDED'].includes(code);

export function errorFromAnswer(httpStatus: number, body: unknown, requestId?: string): ApiError {
  const flat = (body ?? {}) as {
    error_message?: string;
    status_message?: LocalizedMessageJson;
    field?: string;
    error_description?: string;
    error?: string;
  };
  const message = flat.error_message ?? flat.error_description ?? flat.error;
  const text = message ? wholeWords({ ...flat.status_message, message }, t) : undefined;
  const fallback =
    httpStatus === 413
      ? shell.errors.tooLarge
      : httpStatus >= 500
        ? shell.errors.unavailable
        : shell.errors.refused;
  return new ApiError(text ?? fallback, {
    code: `HTTP_${String(httpStatus)}`,
    httpStatus,
    fields:
      flat.field === undefined
        ? []
        : [{ field: pathInRequest(flat.field), message: text ?? shell.errors.invalidField }],
    requestId,
  });
}
