// Why nothing was or can be searched: usually the tenant has not allowed it. Users who may allow it get a
// link.
import type { ReactNode } from 'react';
import type { ApiError } from '../../api/errors.js';
import { useQuery } from '../../api/hooks.js';
import { fill } from '../../kit/fill.js';
import { ErrorNotice, Loading, Notice } from '../../kit/notice.js';
import { Link } from '../../router.js';
import type { Context } from '../../tenant/context.js';
import { useMay } from '../../tenant/rights.js';
import { t } from '../../text/voice-search.js';
import { readTenantSettings } from '../biosec/tenant-settings.js';

export const VOICE_SEARCH_SECTION = 'voiceSearch';

export function SearchProblem({ error }: { error: ApiError }): ReactNode {
  return error.details.includes('VOICE_SEARCH_NOT_ALLOWED') ? <NotAllowed /> : <ErrorNotice error={error} />;
}

/** Offers no search that the server would refuse. If it is not known, the server decides. */
export function IfAllowed({ read, children }: { read: Context; children: ReactNode }): ReactNode {
  const { data, loading } = useSearchAllowed(read);
  if (loading) return <Loading what={t.settings.loading} />;
  return data === false ? <NotAllowed /> : children;
}

const useSearchAllowed = (read: Context) =>
  useQuery(`voice-search allowed ${read.gkScopeId.value}`, async (signal) => {
    const settings = await readTenantSettings(read, signal);
    return settings?.parameters[VOICE_SEARCH_SECTION]?.['hasLegalBasis'] === true;
  });

function NotAllowed(): ReactNode {
  const may = useMay();
  return (
    <Notice tone="warn" title={t.notAllowed}>
      <p>
        {may('CreateConfigset')
          ? fill(t.notAllowedYours, {
              settings: <Link to="/voice-search?tab=settings">{t.settings.title}</Link>,
            })
          : t.notAllowedText}
      </p>
    </Notice>
  );
}
