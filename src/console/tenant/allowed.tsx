// What only some may use is not there for the others.
import type { ReactNode } from 'react';
import type { Need } from './needs.js';
import { useMay } from './rights.js';

/** Shows what is in it to whoever may do what it is for. */
export function Allowed({ to, children }: { to: Need; children: ReactNode }): ReactNode {
  return useMay()(to) ? children : null;
}
