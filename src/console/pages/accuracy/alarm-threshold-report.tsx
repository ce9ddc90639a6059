// What alarm thresholds from own callers are based on, and their costs and benefits: for each bandwidth the calls
// by risk with the lines, in plain words, and the calls to listen to.
import { useMemo, type ReactNode } from 'react';
import type { ProposedAlarmThresholdJson } from '../../../gen/voxgate/biosec/v1/accuracy_pb.js';
import type { AnswerOf } from '../../../client/contract.js';
import { Notice } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Chart, type Axis, type ChartSeries, type Marker } from '../../plots/chart.js';
import { t as text } from '../../text/alarm-thresholds.js';
import { num, shareWords } from '../../text/tools.js';
import { t as shell } from '../../text/shell.js';
import { DecisionBadge } from '../biosec/decision-badge.js';
import { SessionLink } from '../biosec/session-link.js';
import { rateWords, valueOf } from './rates.js';

const SHIPPED_RISK = 700;
/** The step of the server's counts. */
const RISK_STEP = 20;

const riskAxis: Axis = { label: text.riskAxis, range: [0, 1000] };
const countAxis: Axis = { label: text.countAxis, counts: true };
const series: readonly ChartSeries[] = [{ label: text.calls, color: 'chart-1', steps: true }];

export function AlarmThresholdReport({ report }: { report: AnswerOf<'ProposeAlarmThresholds'> }): ReactNode {
  const { lines = [], excluded = [] } = report;
  return (
    <>
      <p>{text.looked(report.calls ?? 0, report.isTruncated === true)}</p>
      {lines.length === 0 ? <Notice>{text.nothing}</Notice> : null}
      {lines.map((line) => (
        <BandReport
          key={line.bandwidth}
          line={line}
          rate={shareWords(valueOf(report.targetFalseAlarmRate))}
        />
      ))}
      {excluded.length > 0 ? (
        <section className="stack" data-tight>
          <h3>{text.excluded}</h3>
          <Table
            caption={text.excluded}
            rows={excluded}
            rowKey={({ reason = '' }) => reason}
            columns={[
              { label: text.why, cell: ({ reason = '' }) => text.reasons[reason] ?? reason },
              { label: text.count, number: true, cell: ({ calls = 0 }) => num(calls) },
            ]}
          />
        </section>
      ) : null}
    </>
  );
}

function BandReport({ line, rate }: { line: ProposedAlarmThresholdJson; rate: string }): ReactNode {
  const { bandwidth = '', proposed, inUse, riskCounts, highest = [], callers = 0, calls = 0 } = line;
  const band = text.bands[bandwidth] ?? bandwidth;
  const [used, next] = [inUse?.risk ?? SHIPPED_RISK, proposed?.risk];
  const markers = useMemo<Marker[]>(
    () => [
      { x: SHIPPED_RISK, label: text.shipped, color: 'ink' },
      ...(used === SHIPPED_RISK ? [] : [{ x: used, label: text.inUse, color: 'chart-2' as const }]),
      ...(next === undefined ? [] : [{ x: next, label: text.proposed, color: 'chart-4' as const }]),
    ],
    [used, next],
  );
  const counts = useMemo(
    () => ({ x: (riskCounts ?? []).map((_, bin) => bin * RISK_STEP), y: [riskCounts ?? []] }),
    [riskCounts],
  );
  const needed = { calls: line.callsNeeded ?? 0, callers: line.callersNeeded ?? 0 };
  const isShort = calls < needed.calls || callers < needed.callers;
  return (
    <section className="stack" data-tight aria-label={band}>
      <h3>{band}</h3>
      <p>{text.basis(calls, callers, line.genuineCalls ?? 0)}</p>
      {proposed ? <Words line={line} used={used} next={next ?? SHIPPED_RISK} /> : null}
      <AlarmedCalls line={line} used={used} />
      {proposed ? null : <Notice>{isShort ? text.missing(rate, needed) : text.tooHigh}</Notice>}
      <Chart
        title={text.chart(band)}
        summary={text.chartText(used, next)}
        x={counts.x}
        y={counts.y}
        series={series}
        xAxis={riskAxis}
        yAxis={countAxis}
        markers={markers}
      />
      <h4>{text.highest}</h4>
      <Table
        caption={text.highest}
        rows={highest}
        rowKey={({ gkSessionId }) => gkSessionId?.value ?? ''}
        columns={[
          {
            label: text.call,
            cell: ({ gkSessionId, sessionId }) => <SessionLink gkId={gkSessionId?.value} name={sessionId} />,
          },
          { label: text.risk, number: true, cell: ({ risk = 0 }) => num(risk) },
          {
            label: text.decided,
            cell: ({ decision }) => (decision ? <DecisionBadge decision={decision} /> : shell.none),
          },
          { label: text.heard, cell: ({ isGenuine }) => (isGenuine ? text.genuine : text.unheard) },
        ]}
      />
    </section>
  );
}

/** Calls that a tenant's alarm threshold took for attacks and that nobody has judged: some may be honest. */
function AlarmedCalls({
  line: { alarmedCalls = 0, riskWithAlarmed },
  used,
}: {
  line: ProposedAlarmThresholdJson;
  used: number;
}): ReactNode {
  if (alarmedCalls === 0) return null;
  return (
    <Notice tone="warn">
      {riskWithAlarmed ? text.held(alarmedCalls, used, riskWithAlarmed) : text.alarmed(alarmedCalls)}
    </Notice>
  );
}

/** The costs and benefits of the proposed line. */
function Words({
  line: { falseAlarmRate, proposed, inUse, riskWithoutOne = 0, callsOfAll = 0 },
  used,
  next,
}: {
  line: ProposedAlarmThresholdJson;
  used: number;
  next: number;
}): ReactNode {
  return (
    <>
      <p>{text.costs(rateWords(falseAlarmRate))}</p>
      <p>{next < used ? text.buys : next > used ? text.buysNothing : text.same}</p>
      <p>{text.shadow(inUse?.alarmsOfAll ?? 0, proposed?.alarmsOfAll ?? 0, callsOfAll)}</p>
      {next - riskWithoutOne >= RISK_STEP ? <Notice tone="warn">{text.one(riskWithoutOne)}</Notice> : null}
    </>
  );
}
