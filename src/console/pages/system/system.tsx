// The installation itself: health, models with their calibration, keys, throughput and latency.
import type { ReactNode } from 'react';
import type { ModelInfoJson } from '../../../gen/voxgate/management/v1/system_pb.js';
import type { AnswerOf } from '../../../client/contract.js';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { isAdministrator, useMe } from '../../api/session.js';
import { words } from '../../format/text.js';
import { FromServer } from '../../kit/from-server.js';
import { Badge, Card, Facts, PageHead } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { t as shell } from '../../text/shell.js';
import { t } from '../../text/system.js';
import { num } from '../../text/tools.js';
import { Keys } from './keys.js';
import { Traffic } from './traffic.js';
import './system.css';

type SystemInfo = AnswerOf<'GetSystemInfo'>;

const EVERY_MS = 15_000;

export function SystemPage(): ReactNode {
  const isAdmin = isAdministrator(useMe());
  const info = useQuery('system', (signal) => call('GetSystemInfo', {}, signal), { everyMs: EVERY_MS });
  return (
    <>
      <PageHead title={t.title}>{t.about}</PageHead>
      <div className="stack">
        <Loaded query={info} what={t.loading}>
          {(data) => (
            <>
              <Health info={data} />
              <Models models={data.models ?? []} />
              {isAdmin ? <Keys keys={data.keys ?? []} onRotated={info.reload} /> : null}
            </>
          )}
        </Loaded>
        {isAdmin ? <Traffic everyMs={EVERY_MS} /> : null}
      </div>
    </>
  );
}

function Health({ info }: { info: SystemInfo }): ReactNode {
  const text = t.status;
  const components = info.components ?? [];
  const isWell = components.every(({ health }) => health === 'HEALTH_OK');
  return (
    <Card
      title={text.title}
      actions={<Badge tone={isWell ? 'good' : 'bad'}>{isWell ? text.allOk : text.problem}</Badge>}
    >
      <div className="stack">
        <Facts
          items={[
            [text.version, info.version ?? shell.none],
            [
              text.since,
              <span key="since">
                <Time at={info.startTimestamp} /> (<Time at={info.startTimestamp} relative />)
              </span>,
            ],
            [text.node, info.node ?? shell.none],
            [text.database, t.databases[info.database ?? ''] ?? info.database ?? shell.none],
          ]}
        />
        {components.length > 0 ? (
          <Table
            caption={text.caption}
            rows={components}
            rowKey={({ name }) => name ?? ''}
            columns={[
              { label: text.component, cell: ({ name = '' }) => t.components[name] ?? words(name) },
              {
                label: text.health,
                cell: ({ health = 'HEALTH_UNSPECIFIED' }) => (
                  <Badge
                    tone={health === 'HEALTH_OK' ? 'good' : health === 'HEALTH_DEGRADED' ? 'warn' : 'bad'}
                  >
                    {t.health[health]}
                  </Badge>
                ),
              },
              {
                label: text.message,
                cell: ({ message }) => (message ? <FromServer>{message}</FromServer> : text.noMessage),
              },
            ]}
          />
        ) : null}
      </div>
    </Card>
  );
}

const falseAcceptFact = /^llr[-_ ]at[-_ ]false[-_ ]accept[-_ ]rate[-_ ](\d[\d.e-]*)$/i;

/** `llr-at-false-accept-rate-0.001` is the score that one stranger in a thousand reaches. */
function factWords(name: string): string {
  const rate = Number(falseAcceptFact.exec(name)?.[1]);
  return rate > 0 ? t.models.falseAccepts(rate) : (t.facts[name] ?? words(name.replaceAll('-', ' ')));
}

/** Numbers in the reader's format. */
function factValue(value: string): string {
  if (value === 'true') return shell.yes;
  const [, decimals] = /^-?\d+\.(\d+)$/.exec(value) ?? [];
  return decimals === undefined ? value : num(Number(value), decimals.length);
}

function Models({ models }: { models: readonly ModelInfoJson[] }): ReactNode {
  const text = t.models;
  return (
    <Card title={text.title} hint={text.hint}>
      {models.length === 0 ? (
        <EmptyState icon="voice" title={text.none}>
          {text.noneText}
        </EmptyState>
      ) : (
        <div className="grid">
          {models.map((model) => (
            <Model key={`${model.kind ?? ''} ${model.revision ?? ''}`} model={model} />
          ))}
        </div>
      )}
    </Card>
  );
}

function Model({ model }: { model: ModelInfoJson }): ReactNode {
  const text = t.models;
  const { name, revision, kind, sha256, gkCalibrationModelRevisionId: calibration, facts = {} } = model;
  const code = (term: string, value: string | undefined): (readonly [string, ReactNode])[] =>
    value ? [[term, <code key={term}>{value}</code>]] : [];
  return (
    <section className="system-model" aria-label={name ?? text.model}>
      <div className="row">
        <h3>{name}</h3>
        <Badge plain>{t.kinds[kind ?? 'MODEL_KIND_UNSPECIFIED']}</Badge>
      </div>
      <Facts
        items={[
          ...code(text.revision, revision || shell.none),
          ...code(text.calibration, calibration),
          ...code('SHA-256', sha256),
          ...Object.entries(facts).map(([fact, value]) => [factWords(fact), factValue(value)] as const),
        ]}
      />
    </section>
  );
}
