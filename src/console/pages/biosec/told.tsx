// What a session means, in sentences: what was found, what it rests on, what speaks against relying on it.
import type { ReactNode } from 'react';
import type { SessionAssessmentJson } from '../../../gen/voxgate/biosec/v1/assessment_pb.js';
import { because, caveatMeaning, caveatNames, caveatWords, headlineName } from '../../../words/tell.js';
import { t as words } from '../../text/assessment.js';
import './told.css';

export function Meaning({ of }: { of: SessionAssessmentJson }): ReactNode {
  const why = because(words, of);
  return (
    <>
      <strong>{words.headlines[headlineName(of)].meaning}</strong>
      {why ? <span> {why}</span> : null}
    </>
  );
}

/** Each once; which check is meant, where there are several. */
export function Caveats({ of }: { of: SessionAssessmentJson }): ReactNode {
  const { unavailableChecks = [] } = of;
  const names = caveatNames(of);
  const unavailable: Readonly<Record<string, string>> = words.unavailable;
  if (names.length + unavailableChecks.length === 0) return null;
  return (
    <ul className="caveats">
      {names.map((name) => (
        <li key={name}>
          <strong>{caveatWords(words, of, name)}</strong>: {caveatMeaning(words, of, name)}
        </li>
      ))}
      {unavailableChecks.map((check) => (
        <li key={check} className="soft">
          {unavailable[check] ?? check}
        </li>
      ))}
    </ul>
  );
}
