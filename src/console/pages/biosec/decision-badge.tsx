// A decision as a colored word: of a session by its assessment, of a single check by itself.
import type { ReactNode } from 'react';
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { SessionEntryJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import type { SessionAssessmentJson } from '../../../gen/voxgate/biosec/v1/assessment_pb.js';
import { shownCaveats, headlineWord, toneName, type CaveatDisplay } from '../../../words/tell.js';
import { Badge, type BadgeTone } from '../../kit/layout.js';
import { t as words } from '../../text/assessment.js';
import { t } from '../../text/checks.js';
import { decisionWord, REFUSED_FOR_LOCK } from './advice.js';
import { isUnavailable, type Judged } from './attack-spans.js';

const tones = {
  GOOD: 'good',
  NEUTRAL: 'neutral',
  WARNING: 'warn',
  ALARM: 'bad',
} as const satisfies Record<ReturnType<typeof toneName>, BadgeTone>;

const severities: Readonly<Record<CaveatDisplay['severity'], BadgeTone>> = {
  alarm: 'bad',
  warning: 'warn',
  note: 'neutral',
};

export function DecisionBadge({
  decision,
  isOpen = false,
}: {
  decision: DecisionJson | undefined;
  /** Something speaks against it: it is not green. */
  isOpen?: boolean;
}): ReactNode {
  const { word, tone } = decisionWord(decision);
  return <Badge tone={tone === 'good' && isOpen ? 'neutral' : tone}>{word}</Badge>;
}

/** For one check. A check that was refused or cannot answer has decided nothing, and casts no doubt on the voice. */
export function CheckBadge({
  check,
  isOpen = false,
}: {
  check: Judged & { reason?: string | undefined };
  /** Something speaks against it: it is not green. */
  isOpen?: boolean;
}): ReactNode {
  if (check.reason === REFUSED_FOR_LOCK) return <Badge tone="bad">{t.refused}</Badge>;
  if (isUnavailable(check)) return <Badge>{t.unavailable.word}</Badge>;
  return <DecisionBadge decision={check.decision} isOpen={isOpen} />;
}

export const toneOf = (of: SessionAssessmentJson): BadgeTone => tones[toneName(of)];

/** What came of a session. */
export const HeadlineBadge = ({ of }: { of: SessionAssessmentJson }): ReactNode => (
  <Badge tone={toneOf(of)}>{headlineWord(words, of)}</Badge>
);

/** A trial, not a call. */
export const TrialBadge = (): ReactNode => <Badge plain>{t.trial}</Badge>;

/** What a session means, in a row. */
export function Assessed({ of = {} }: { of: SessionAssessmentJson | undefined }): ReactNode {
  return (
    <>
      <HeadlineBadge of={of} />
      {shownCaveats(words, of).map(({ word, severity, more }) => (
        <span key={word} title={[word, ...more].join(', ')}>
          <Badge tone={severities[severity]}>
            {word}
            {more.length > 0 ? <> +{more.length}</> : null}
          </Badge>
          {more.length > 0 ? <span className="visually-hidden">: {more.join(', ')}</span> : null}
        </span>
      ))}
    </>
  );
}

/** The outcome of a session in a list. */
export const EntryDecision = ({ entry }: { entry: SessionEntryJson }): ReactNode => (
  <div className="row assessed">
    <Assessed of={entry.assessment} />
    {entry.details?.isTest ? <TrialBadge /> : null}
  </div>
);
