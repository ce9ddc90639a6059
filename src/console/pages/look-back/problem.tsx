// Why nothing was searched: most often the tenant has not said that it may.
import type { ReactNode } from 'react';
import type { ApiError } from '../../api/errors.js';
import { helpAddress } from '../../help/entries.js';
import { fill } from '../../kit/fill.js';
import { ErrorNotice, Notice } from '../../kit/notice.js';
import { Link } from '../../router.js';
import { t } from '../../text/look-back.js';

export function SearchProblem({ error }: { error: ApiError }): ReactNode {
  return error.details.includes('LOOK_BACK_NOT_ALLOWED') ? (
    <Notice tone="warn" title={t.notAllowed}>
      <p>
        {fill(t.notAllowedText, {
          parameter: (
            <Link to={helpAddress('reference/configset-parameters', 'lookback-haslegalbasis')}>
              <code>lookBack.hasLegalBasis</code>
            </Link>
          ),
        })}
      </p>
    </Notice>
  ) : (
    <ErrorNotice error={error} />
  );
}
