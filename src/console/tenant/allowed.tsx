// Hides what the user may not use.
import type { ReactNode } from 'react';
import type { Need } from './needs.js';
import { useMay } from './rights.js';

/** Shows its content to users who may do this. */
export function Allowed({ to, children }: { to: Need; children: ReactNode }): ReactNode {
  return useMay()(to) ? children : null;
}
