// Why nothing was searched: most often the tenant has not said that it may. Who may say so is led there.
import type { ReactNode } from 'react';
import type { ApiError } from '../../api/errors.js';
import { helpAddress } from '../../help/entries.js';
import { fill } from '../../kit/fill.js';
import { ErrorNotice, Notice } from '../../kit/notice.js';
import { Link } from '../../router.js';
import { useMay } from '../../tenant/rights.js';
import { t } from '../../text/look-back.js';

export function SearchProblem({ error }: { error: ApiError }): ReactNode {
  const may = useMay();
  return error.details.includes('LOOK_BACK_NOT_ALLOWED') ? (
    <Notice tone="warn" title={t.notAllowed}>
      <p>
        {may('CreateConfigset')
          ? fill(t.notAllowedYours, {
              settings: <Link to="/look-back?tab=settings">{t.settings.title}</Link>,
            })
          : fill(t.notAllowedText, {
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
