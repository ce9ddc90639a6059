// Accuracy and thresholds: measured on the tenant's own voices or on a list of trials, never guessed.
import { useState, type ReactNode } from 'react';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { Card, PageHead } from '../../kit/layout.js';
import { EmptyState, Loaded, Loading } from '../../kit/notice.js';
import { Link } from '../../router.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { useTenant } from '../../tenant/tenant.js';
import { t } from '../../text/accuracy.js';
import { t as shell } from '../../text/shell.js';
import type { Source } from './rates.js';
import { Calibrations } from './calibrations.js';
import { CallersCard } from './callers-card.js';
import { FairnessCard } from './fairness-card.js';
import { ReportView } from './report.js';
import { Revisions } from './revisions.js';
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

function Accuracy({ read }: { read: Context }): ReactNode {
  const [source, setSource] = useState<Source>({ kind: 'own' });
  /** Belongs to the config set and the trials it was found with. */
  const [suggested, setSuggested] = useState<{ threshold: number; configset: string | undefined }>();
  const [round, setRound] = useState(0);
  const sourceKey =
    source.kind === 'own' ? 'own' : `${source.name} ${String(source.count)} ${String(source.text.length)}`;
  const report = useQuery(
    `accuracy ${read.gkScopeId.value} ${read.configsetId ?? ''} ${sourceKey} ${String(round)}`,
    async (signal) => {
      const { report: made = {} } =
        source.kind === 'own'
          ? await call('EvaluateScores', { context: read }, signal)
          : await call('EvaluateTrials', { context: read, trials: { text: source.text } }, signal);
      return made;
    },
  );
  return (
    <div className="stack">
      <Card title={t.source.title}>
        <SourceChoice
          source={source}
          onSource={(next) => {
            setSuggested(undefined);
            setSource(next);
          }}
        />
      </Card>
      <Card
        title={t.report.title}
        hint={source.kind === 'own' ? t.report.ownHint : t.report.trialsHint(source.count, source.name)}
      >
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
                suggested={suggested?.configset === read.configsetId ? suggested?.threshold : undefined}
              />
            )
          }
        </Loaded>
      </Card>
      <ThresholdCard
        key={`${read.configsetId ?? ''} ${sourceKey}`}
        read={read}
        source={source}
        onSuggested={(threshold) => setSuggested({ threshold, configset: read.configsetId })}
        onSaved={() => setRound((value) => value + 1)}
      />
      {source.kind === 'own' ? <FairnessCard key={read.configsetId ?? ''} read={read} /> : null}
      <CallersCard read={read} onActivated={() => setRound((value) => value + 1)} />
      <Calibrations key={String(round)} read={read} onChanged={() => setRound((value) => value + 1)} />
      <Revisions
        key={`${read.configsetId ?? ''} ${String(round)}`}
        read={read}
        onActivated={() => setRound((value) => value + 1)}
      />
    </div>
  );
}
