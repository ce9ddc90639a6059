// Accuracy and thresholds: measured on the tenant's own voices or on a list of trials, never guessed.
import { useState, type ReactNode } from 'react';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { finite } from '../../format/text.js';
import { Card, PageHead } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, Loaded, Loading } from '../../kit/notice.js';
import { Link } from '../../router.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { useTenant } from '../../tenant/tenant.js';
import { t } from '../../text/accuracy.js';
import { t as shell } from '../../text/shell.js';
import { AlarmLinesCard } from './alarm-lines-card.js';
import { Calibrations } from './calibrations.js';
import { CallersCard } from './callers-card.js';
import { FairnessCard } from './fairness-card.js';
import { LeftOut } from './left-out.js';
import type { Measured, Source } from './rates.js';
import { ReportView } from './report.js';
import { Revisions } from './revisions.js';
import { useSamePairs, type SamePairs } from './same-pairs.js';
import { SourceChoice } from './source-choice.js';
import { ThresholdCard } from './threshold-card.js';
import './accuracy.css';

export function AccuracyPage(): ReactNode {
  const read = useReadContext();
  const { loading } = useTenant();
  return (
    <>
      <PageHead title={t.title}>{t.about}</PageHead>
      {loading && !read?.configsetId ? (
        <Loading what={t.loadingSets} />
      ) : read ? (
        <Accuracy key={read.gkScopeId.value} read={read} />
      ) : (
        <EmptyState icon="accuracy" title={shell.chooseTenant} />
      )}
    </>
  );
}

const keyOf = (source: Measured, { key = '' }: SamePairs): string =>
  source.kind === 'own'
    ? `own ${key}`
    : `${source.name} ${String(source.count)} ${String(source.text.length)}`;

function Accuracy({ read }: { read: Context }): ReactNode {
  const same = useSamePairs(read);
  const [source, setSource] = useState<Source>({ kind: 'own' });
  const [round, setRound] = useState(0);
  /** The score, with the config set that it was read for. */
  const [active, setActive] = useState<{ score: number | undefined; of: string | undefined }>();
  const choose = <SourceChoice source={source} onSource={setSource} />;
  const again = (): void => setRound((value) => value + 1);
  return (
    <div className="stack">
      <Card title={t.source.title}>{choose}</Card>
      {source.kind === 'unreadable' ? null : (
        <Measurement
          read={read}
          source={source}
          round={round}
          same={same}
          onActive={(score) => setActive({ score, of: read.configsetId })}
          onSaved={again}
        />
      )}
      <CallersCard read={read} same={same} onActivated={again} />
      <AlarmLinesCard key={`lines ${read.configsetId ?? ''}`} read={read} onSaved={again} />
      <Calibrations read={read} round={round} onChanged={again} />
      <Revisions
        key={`${read.configsetId ?? ''} ${String(round)}`}
        read={read}
        activeScore={active?.of === read.configsetId ? active?.score : undefined}
        onActivated={again}
      />
    </div>
  );
}

/** The report, and actions based on it. */
function Measurement({
  read,
  source,
  round,
  same,
  onActive,
  onSaved,
}: {
  read: Context;
  source: Measured;
  round: number;
  same: SamePairs;
  /** Receives the score from which the active revision verifies. */
  onActive: (score: number | undefined) => void;
  onSaved: () => void;
}): ReactNode {
  const sourceKey = keyOf(source, same);
  const isKnown = source.kind === 'trials' || same.key !== undefined || same.query.error !== undefined;
  /** Belongs to the config set and the trials it was found with. */
  const [suggested, setSuggested] = useState<{ threshold: number; of: string }>();
  const found = `${read.configsetId ?? ''} ${sourceKey}`;
  const report = useQuery(
    // Waits for the pairs of one person, so that the report is not loaded twice.
    isKnown
      ? `accuracy ${read.gkScopeId.value} ${read.configsetId ?? ''} ${sourceKey} ${String(round)}`
      : undefined,
    async (signal) => {
      const { report: made = {} } =
        source.kind === 'own'
          ? await call('EvaluateScores', { context: read }, signal)
          : await call('EvaluateTrials', { context: read, trials: { text: source.text } }, signal);
      onActive(finite(made.activeThreshold));
      return made;
    },
  );
  return (
    <>
      <Card
        title={t.report.title}
        hint={source.kind === 'own' ? t.report.ownHint : t.report.trialsHint(source.count, source.name)}
      >
        {source.kind === 'own' && same.query.data ? (
          <LeftOut
            pairs={same.query.data}
            takesFocus={same.saidIn === 'report'}
            onTwo={(pair) => same.unmark(pair, 'report')}
          />
        ) : null}
        {same.error ? <ErrorNotice error={same.error} title={t.report.sameFailed} /> : null}
        {same.query.error ? <ErrorNotice error={same.query.error} title={t.report.sameUnknown} /> : null}
        <Loaded query={report} what={t.report.scoring}>
          {(data) =>
            (data.targetTrials ?? 0) === 0 || (data.nontargetTrials ?? 0) === 0 ? (
              <EmptyState
                icon="accuracy"
                title={t.report.tooFew}
                action={<Link to="/voice">{t.report.record}</Link>}
              >
                {t.report.tooFewText}
              </EmptyState>
            ) : (
              <ReportView
                report={data}
                suggested={suggested?.of === found ? suggested.threshold : undefined}
                onSame={(pair) => same.mark(pair, 'report')}
              />
            )
          }
        </Loaded>
      </Card>
      <ThresholdCard
        key={`threshold ${found}`}
        read={read}
        source={source}
        onSuggested={(threshold) => setSuggested({ threshold, of: found })}
        onSaved={onSaved}
      />
      {source.kind === 'own' ? <FairnessCard key={`fairness ${found}`} read={read} /> : null}
    </>
  );
}
