// Why nothing was searched: most often the tenant has not said that it may.
import type { ReactNode } from 'react';
import type { ApiError } from '../../api/errors.js';
import { ErrorNotice, Notice } from '../../kit/notice.js';
import { t } from '../../text/look-back.js';

export function SearchProblem({ error }: { error: ApiError }): ReactNode {
  return error.details.includes('LOOK_BACK_NOT_ALLOWED') ? (
    <Notice tone="warn" title={t.notAllowed}>
      {t.notAllowedText}
    </Notice>
  ) : (
    <ErrorNotice error={error} />
  );
}
