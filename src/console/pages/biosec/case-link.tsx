// A case number that links to all of its sessions.
import type { ReactNode } from 'react';
import { Link } from '../../router.js';
import { t } from '../../text/sessions.js';

export const caseAddress = (number: string): string => `/sessions?case=${encodeURIComponent(number)}`;

export function CaseLink({ number }: { number: string }): ReactNode {
  return (
    <Link className="whole" to={caseAddress(number)} title={t.list.ofCase(number)}>
      {number}
    </Link>
  );
}
