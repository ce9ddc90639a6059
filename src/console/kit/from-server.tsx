// Marks text that is in no catalogue: the server's English, so that screen readers in another language
// pronounce it correctly, and people's own text, so that no browser translates it.
import type { ReactNode } from 'react';

export function FromServer({ children }: { children: ReactNode }): ReactNode {
  return <span lang="en">{children}</span>;
}

export function Verbatim({ children }: { children: ReactNode }): ReactNode {
  return <span translate="no">{children}</span>;
}
