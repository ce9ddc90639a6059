// Accuracy and thresholds: measured on the tenant's own voices or on a list of trials, never guessed.
import { useRef, useState, type ReactNode } from 'react';
import { post } from '../../api/client.js';
import { asApiError, type ApiError } from '../../api/errors.js';
import { useQuery } from '../../api/hooks.js';
import { plural } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { Card, PageHead } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, Loaded, Loading } from '../../kit/notice.js';
import { Link } from '../../router.js';
import { useBiosecContext, useTenant, type Context } from '../../tenant/tenant.js';
import { ReportView } from './report.js';
import { Revisions } from './revisions.js';
import { ThresholdCard } from './threshold-card.js';
import { parseTrialList } from './trials.js';
import type { AccuracyReport, Source } from './types.js';
import './accuracy.css';

export function AccuracyPage(): ReactNode {
  const { read } = useBiosecContext();
  const { loading } = useTenant();
  return (
    <>
      <PageHead title="Accuracy and thresholds">
        Choose how many strangers may get in, see what it costs, try it in the shadow, then switch.
      </PageHead>
      {loading && !read?.configsetId ? (
        <Loading what="Looking for config sets" />
      ) : read ? (
        <Accuracy key={read.gkScopeId.value} read={read} />
      ) : (
        <EmptyState icon="accuracy" title="Choose a tenant first" />
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
      const answer =
        source.kind === 'own'
          ? await post<{ report?: AccuracyReport }>('/v1/x/accuracy/scores', { context: read }, signal)
          : await post<{ report?: AccuracyReport }>(
              '/v1/x/accuracy/trials',
              { context: read, trials: { text: source.text } },
              signal,
            );
      return answer.report ?? {};
    },
  );
  return (
    <div className="stack">
      <Card title="What to measure on">
        <SourceChoice
          source={source}
          onSource={(next) => {
            setSuggested(undefined);
            setSource(next);
          }}
        />
      </Card>
      <Card
        title="Report"
        hint={
          source.kind === 'own'
            ? 'Every take against every voiceprint of this tenant.'
            : `${plural(source.count, 'trial')} of ${source.name}`
        }
      >
        <Loaded query={report} what="Scoring">
          {(data) =>
            (data.targetTrials ?? 0) === 0 || (data.nontargetTrials ?? 0) === 0 ? (
              <EmptyState
                icon="accuracy"
                title="Too few voices to measure"
                action={<Link to="/voice">Record a voice</Link>}
              >
                It takes at least two people with a few takes each. More people give surer numbers; or use a
                list of trials.
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
      <Revisions
        key={`${read.configsetId ?? ''} ${String(round)}`}
        read={read}
        onActivated={() => setRound((value) => value + 1)}
      />
    </div>
  );
}

function SourceChoice({
  source,
  onSource,
}: {
  source: Source;
  onSource: (source: Source) => void;
}): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<ApiError | undefined>();
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    setError(undefined);
    try {
      const list = parseTrialList(await file.text());
      onSource({ kind: 'trials', name: file.name, text: list.text, count: list.targets + list.nontargets });
    } catch (thrown) {
      setError(asApiError(thrown));
    }
  };
  return (
    <div
      className="stack"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void take(event.dataTransfer.files[0]);
      }}
    >
      <div className="row">
        <Button
          kind={source.kind === 'own' ? 'primary' : 'plain'}
          aria-pressed={source.kind === 'own'}
          onClick={() => onSource({ kind: 'own' })}
        >
          This tenant&apos;s own voices
        </Button>
        <Button
          kind={source.kind === 'trials' ? 'primary' : 'plain'}
          aria-pressed={source.kind === 'trials'}
          onClick={() => input.current?.click()}
        >
          {source.kind === 'trials' ? `Trial list: ${source.name}` : 'A trial list (CSV)'}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          accept=".csv,.txt,text/csv,text/plain"
          onChange={(event) => {
            void take(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </div>
      <p className="small soft">
        A trial list has one comparison per line: a score and a label, such as <code>3.2,target</code> or{' '}
        <code>-1.7,nontarget</code>. It can also be dropped here.
      </p>
      {error ? <ErrorNotice error={error} title="This list cannot be read" /> : null}
    </div>
  );
}
