// Whether calls can be compared with a fraudster's voice.
import type { ReactNode } from 'react';
import { t } from '../../text/people.js';

const text = t.fraudster;

/** One sentence under the name; nothing is shown before it is known. */
export function FraudsterVoice({
  isTrained,
  isListed,
}: {
  isTrained: boolean | undefined;
  /** Whether the fraudster is on any watchlist. */
  isListed: boolean | undefined;
}): ReactNode {
  if (isTrained === undefined) return text.about;
  const trained = isListed === false ? text.unlisted : text.withVoice;
  return `${text.about} ${isTrained ? trained : text.withoutVoice}`;
}
