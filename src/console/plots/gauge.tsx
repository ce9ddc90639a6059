// Risk from 0 to 1000 on a line with the zones of the config set, and a needle for this decision.
import { useId, type ReactNode } from 'react';
import { t } from '../text/voice.js';
import './plots.css';

export interface Zone {
  from: number;
  to: number;
  label: string;
  tone: 'good' | 'warn' | 'bad';
}

const WIDTH = 400;
const at = (risk: number): number => (Math.max(0, Math.min(1000, risk)) / 1000) * WIDTH;

export function RiskGauge({
  risk,
  zones,
  summary,
}: {
  risk: number;
  zones: readonly Zone[];
  /** The same in a sentence. */ summary: string;
}): ReactNode {
  const hatch = useId();
  return (
    <div className="gauge">
      <svg viewBox={`0 0 ${String(WIDTH)} 86`} role="img" aria-label={summary}>
        <defs>
          <pattern
            id={hatch}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <line x1="0" y1="0" x2="0" y2="6" stroke="var(--surface)" strokeWidth="2" />
          </pattern>
        </defs>
        {zones.map(({ from, to, label, tone }) => (
          <g key={label}>
            <rect
              x={at(from) + 1}
              y={34}
              width={Math.max(0, at(to) - at(from) - 2)}
              height={18}
              rx={4}
              fill={`var(--${tone})`}
              opacity={0.8}
            />
            {tone === 'good' ? null : (
              <rect
                x={at(from) + 1}
                y={34}
                width={Math.max(0, at(to) - at(from) - 2)}
                height={18}
                rx={4}
                fill={`url(#${hatch})`}
                opacity={tone === 'bad' ? 0.55 : 0.25}
              />
            )}
            <text x={(at(from) + at(to)) / 2} y={70} textAnchor="middle">
              {label}
            </text>
          </g>
        ))}
        {zones.slice(1).map(({ from }) => (
          <text key={from} x={at(from)} y={84} textAnchor="middle">
            {from}
          </text>
        ))}
        <g style={{ transform: `translateX(${String(at(risk))}px)`, transition: 'transform 500ms ease-out' }}>
          <path d="M0 56 L0 26 M-7 16 L7 16 L0 28 Z" fill="var(--ink)" stroke="var(--ink)" strokeWidth="2" />
          <text
            y={10}
            textAnchor={risk > 900 ? 'end' : risk < 100 ? 'start' : 'middle'}
            style={{ fill: 'var(--ink)', fontWeight: 700, fontSize: 14 }}
          >
            {t.result.needle(risk)}
          </text>
        </g>
      </svg>
    </div>
  );
}
