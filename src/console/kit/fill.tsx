// Inserts elements into a sentence of the catalogue: `{tenant}` marks the place of the tenant.
import { Fragment, type ReactNode } from 'react';

export function fill(sentence: string, parts: Readonly<Record<string, ReactNode>>): ReactNode {
  return sentence
    .split(/\{(\w+)\}/)
    .map((piece, index) => <Fragment key={index}>{index % 2 === 0 ? piece : parts[piece]}</Fragment>);
}
