// Words that are in no catalogue: what the server gives in English for everybody is marked, so that a screen reader in another
// language says it right, and what people wrote themselves, so that no browser translates it.
import type { ReactNode } from 'react';

export function FromServer({ children }: { children: ReactNode }): ReactNode {
  return <span lang="en">{children}</span>;
}

export function Verbatim({ children }: { children: ReactNode }): ReactNode {
  return <span translate="no">{children}</span>;
}
