// Whether calls can be compared with a fraudster's voice.
import type { ReactNode } from 'react';
import { t } from '../../text/people.js';

const text = t.fraudster;

/** One sentence under the name; nothing is claimed before it is known. */
export function FraudsterVoice({ isTrained }: { isTrained: boolean | undefined }): ReactNode {
  if (isTrained === undefined) return text.about;
  return `${text.about} ${isTrained ? text.withVoice : text.withoutVoice}`;
}
