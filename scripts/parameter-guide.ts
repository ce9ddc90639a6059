// The parameter table as the guide shows it: docs/guides/voiceprints.md holds what this makes, and a test proves it.
import { parameterTable, type ParameterRule } from '../src/biometrics/configsets/parameters.js';

export const guideBegin = '<!-- parameters: made by scripts/generate-parameters.ts; do not edit -->';
export const guideEnd = '<!-- end of parameters -->';

export function parameterGuide(): string {
  const rows = Object.entries(parameterTable as Record<string, Record<string, ParameterRule>>).flatMap(
    ([section, rules]) =>
      Object.entries(rules).map(
        ([name, rule]) =>
          `| \`${section}.${name}\` | ${defaultOf(rule)} | ${rangeOf(rule)} | ${rule.about} |`,
      ),
  );
  return ['| Parameter | Default | Range | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}

/** The guide with its table as it should be now. */
export function withParameterGuide(guide: string): string {
  const [begin, end] = [guide.indexOf(guideBegin), guide.indexOf(guideEnd)];
  if (begin < 0 || end < begin) throw new RangeError('the guide has no place for the parameters');
  return `${guide.slice(0, begin)}${guideBegin}\n\n${parameterGuide()}\n\n${guide.slice(end)}`;
}

function defaultOf(rule: ParameterRule): string {
  return rule.kind === 'numbers' ? rule.default.join(', ') || 'none' : plain(rule.default);
}

const plain = (value: number | boolean): string =>
  typeof value === 'number' && Math.abs(value) < 1e-3 && value !== 0
    ? value.toFixed(7).replace(/0+$/, '')
    : String(value);

function rangeOf(rule: ParameterRule): string {
  return rule.kind === 'boolean' ? '' : `${plain(rule.min)} to ${plain(rule.max)}`;
}
