// Accuracy and thresholds: measured on the tenant's own voices or on a list of trials, never guessed.
import { useState, type ReactNode } from 'react';
import type { AccuracyReportJson } from '../../../gen/voxgate/biosec/v1/accuracy_pb.js';
import { call } from '../../api/client.js';
import { useQuery, type Query } from '../../api/hooks.js';
import { finite } from '../../format/text.js';
import { Card, PageHead } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, Loaded, Loading } from '../../kit/notice.js';
import { Tabs } from '../../kit/tabs.js';
import { Link, setQuery } from '../../router.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { useTenant } from '../../tenant/tenant.js';
import { t } from '../../text/accuracy.js';
import { t as shell } from '../../text/shell.js';
import { AlarmThresholdsCard } from './alarm-thresholds-card.js';
import { Calibrations } from './calibrations.js';
import { CallersCard } from './callers-card.js';
import { FairnessCard } from './fairness-card.js';
import { SamePersons } from './same-persons.js';
import type { Measured, Source } from './rates.js';
import { ReportView, answerOf } from './report.js';
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
  const again = (): void => setRound((value) => value + 1);
  const measured = source.kind === 'unreadable' ? undefined : source;
  const sourceKey = measured && keyOf(measured, same);
  // Waits for the pairs of one person, so that the report is not loaded twice.
  const isKnown = measured?.kind === 'trials' || same.key !== undefined || same.query.error !== undefined;
  const found = `${read.configsetId ?? ''} ${sourceKey ?? ''}`;
  /** Belongs to the config set and the trials it was found with. */
  const [suggested, setSuggested] = useState<{ threshold: number; of: string }>();
  const report = useQuery(
    measured && isKnown ? `accuracy ${read.gkScopeId.value} ${found} ${String(round)}` : undefined,
    async (signal) => {
      const answer =
        measured?.kind === 'trials'
          ? await call('EvaluateTrials', { context: read, trials: { text: measured.text } }, signal)
          : await call('EvaluateScores', { context: read }, signal);
      return answer.report ?? {};
    },
  );
  const score = finite(report.data?.activeThreshold);
  const choice = <SourceChoice source={source} onSource={setSource} />;
  const revisions = `${read.configsetId ?? ''} ${String(round)}`;
  return (
    <Tabs
      label={t.title}
      tabs={[
        {
          id: 'report',
          label: t.report.tab,
          content: () => (
            <Card title={t.report.title}>
              <div className="stack">
                {report.data && isEnough(report.data) ? (
                  <p className="accuracy-answer">{answerOf(report.data)}</p>
                ) : null}
                {choice}
                {measured ? (
                  <Report
                    report={report}
                    source={measured}
                    same={same}
                    suggested={suggested?.of === found ? suggested.threshold : undefined}
                  />
                ) : null}
              </div>
            </Card>
          ),
        },
        {
          id: 'thresholds',
          label: t.threshold.tab,
          content: () => (
            <div className="stack">
              <Calibrations read={read} score={score} round={round} onChanged={again} />
              {measured ? (
                <ThresholdCard
                  key={`threshold ${found}`}
                  read={read}
                  source={measured}
                  activeScore={score}
                  onSuggested={(threshold) => setSuggested({ threshold, of: found })}
                  onSaved={() => {
                    again();
                    setQuery({ tab: 'revisions' });
                  }}
                />
              ) : (
                <Card title={t.threshold.title}>{choice}</Card>
              )}
              <CallersCard read={read} same={same} onActivated={again} />
              <AlarmThresholdsCard key={`lines ${read.configsetId ?? ''}`} read={read} onSaved={again} />
            </div>
          ),
        },
        { id: 'fairness', label: t.fairness.tab, content: () => <FairnessCard key={found} read={read} /> },
        {
          id: 'revisions',
          label: t.revisions.tab,
          content: () => <Revisions key={revisions} read={read} activeScore={score} onActivated={again} />,
        },
      ]}
    />
  );
}

const isEnough = ({ targetTrials = 0, nontargetTrials = 0 }: AccuracyReportJson): boolean =>
  targetTrials > 0 && nontargetTrials > 0;

function Report({
  report,
  source,
  same,
  suggested,
}: {
  report: Query<AccuracyReportJson>;
  source: Measured;
  same: SamePairs;
  suggested: number | undefined;
}): ReactNode {
  return (
    <>
      {source.kind === 'own' && same.query.data ? (
        <SamePersons
          pairs={same.query.data}
          takesFocus={same.saidIn === 'report'}
          onTwo={(pair) => same.unmark(pair, 'report')}
        />
      ) : null}
      {same.error ? <ErrorNotice error={same.error} title={t.report.sameFailed} /> : null}
      {same.query.error ? <ErrorNotice error={same.query.error} title={t.report.sameUnknown} /> : null}
      <Loaded query={report} what={t.report.scoring}>
        {(data) =>
          !isEnough(data) ? (
            <EmptyState
              icon="accuracy"
              title={t.report.tooFew}
              action={<Link to="/voice">{t.report.record}</Link>}
            >
              {t.report.tooFewText}
            </EmptyState>
          ) : (
            <ReportView report={data} suggested={suggested} onSame={(pair) => same.mark(pair, 'report')} />
          )
        }
      </Loaded>
    </>
  );
}
