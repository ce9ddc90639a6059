// English: alarm thresholds for synthetic speech from the tenant's own callers.
import { many, num } from '../tools.js';

export const text = {
  title: 'Alarm threshold for synthetic speech',
  hint: 'Draws the line where your own callers raise as few false alarms as you want.',
  wanted: 'False alarms accepted (%)',
  range: 'A number from 0.1 to 10',
  perCaller: 'Calls per caller',
  perCallerHint:
    'In percent of honest calls. One to ten calls per person and number count, so frequent callers weigh no more than others.',
  perCallerRange: 'A whole number from 1 to 10',
  find: 'Draw from my calls',
  finding: 'Looking through stored calls',
  failed: 'The lines could not be drawn',
  notAllowed:
    'Stored calls of this tenant may not be used for this. An owner can allow it under “Thresholds from your own callers”.',
  nothing:
    'There are no calls that could draw a line. Have calls checked for synthetic speech, and tell who is calling: a person or a number.',
  looked: (calls: number, truncated: boolean) =>
    `${many(calls, '# call was', '# calls were')} looked at${truncated ? ', the newest; there are more' : ''}.`,
  excluded: 'Calls that do not count',
  why: 'Why',
  count: 'Calls',
  reasons: {
    ERASED: 'Personal data was erased',
    NO_CHECK: 'Not checked for synthetic speech',
    OTHER_DETECTOR: 'Checked by another detector',
    NOT_JUDGED: 'The check could not judge them: too little speech or too much noise',
    FRAUD_OUTCOME: 'Outcome recorded as fraud or somebody else',
    FRAUDSTER_FOUND: 'A known fraudster was recognized',
    ATTACK_FOUND:
      'An attack was found, by more than a line of your own, and nobody recorded the call as genuine',
    SUSPICIOUS: 'Marked as suspicious',
    OPTED_OUT: 'The person has opted out',
    UNKNOWN_CALLER: 'Neither the person nor the number is known',
    CALLER_COUNTED: 'The person or number counts with newer calls',
    OWN_ALARM:
      'They raised an alarm under a line of your own and would raise the line, and nobody recorded them as genuine',
  } as Readonly<Record<string, string>>,
  /** In a dialog, before what it is and what it will be. */
  lineOf: (band: string) => `Alarm threshold, ${band.toLowerCase()}`,
  bands: { narrow: 'Telephone speech', wide: 'Wide-band speech' } as Readonly<Record<string, string>>,
  basis: (calls: number, callers: number, genuine: number) =>
    `${many(calls, '# call', '# calls')} of ${many(callers, '# caller', '# callers')}, ${num(genuine)} recorded as genuine.`,
  missing: (rate: string, needed: { calls: number; callers: number }) =>
    `Too few for ${rate} false alarms: at least ${num(needed.calls)} calls of at least ${num(needed.callers)} callers are needed. Wait, count more calls of each caller, or accept more false alarms.`,
  tooHigh:
    'Too many of these calls sound like attacks: no line raises so few alarms. Listen to the calls below.',
  costs: (share: string) =>
    `Costs: ${share} of honest calls would raise a false alarm, judged by callers who did not set the line.`,
  shadow: (before: number, after: number, calls: number) =>
    `Of the last ${many(calls, '# call', '# calls')}, those that do not count included, ${num(after)} would have raised an alarm; with the line in use, ${num(before)}.`,
  buys: 'Buys: a lower line catches more attacks. synthetic-views-14 caught 72% over the telephone at 471 instead of 51%, and 78% at microphones at 261 instead of 52%.',
  buysNothing:
    'Buys fewer false alarms: the line in use is lower than your callers allow. With the proposed one, fewer attacks are caught.',
  same: 'The line in use matches your callers.',
  one: (risk: number) =>
    `Without the one caller who raises it most, the line would be at ${num(risk)}. Listen to the calls below, and record their outcome.`,
  /** `risk`: where the line would be if they were honest. */
  held: (calls: number, inUse: number, risk: number) =>
    `${many(calls, '# more call', '# more calls')} raised an alarm under a line of your own, and nobody recorded ${calls === 1 ? 'it' : 'them'} as genuine. The line stays at ${num(inUse)}; if they are honest, it would be at ${num(risk)}. Listen, record their outcome, and draw again.`,
  alarmed: (calls: number) =>
    `${num(calls)} of these calls raised an alarm under a line of your own, and nobody recorded ${calls === 1 ? 'it' : 'them'} as genuine. They count as honest here. Listen to them, and record their outcome.`,
  chart: (band: string) => `${band}: calls by risk`,
  chartText: (inUse: number, proposed: number | undefined) =>
    proposed === undefined
      ? `The alarm begins at ${num(inUse)}.`
      : `The alarm begins at ${num(inUse)} now, and at ${num(proposed)} with the proposed line.`,
  riskAxis: 'Risk',
  countAxis: 'Calls',
  calls: 'Calls of your callers',
  shipped: 'Shipped line',
  inUse: 'Line in use',
  proposed: 'Proposed line',
  highest: 'Calls with the highest risk',
  call: 'Call',
  risk: 'Risk',
  decided: 'Decision',
  heard: 'Outcome',
  genuine: 'Genuine',
  unheard: 'Not recorded',
  save: (configset: string) => `Save for ${configset}, to try it first`,
  saved: 'Saved as a new revision, to be tried in shadow mode under Revisions.',
  activate: 'Activate these lines',
  activateTitle: 'Activate the alarm thresholds of your callers',
  activateText: (configset: string) =>
    `Calls with the config set ${configset} are judged by these lines at once: some that were undecided become alarms. The previous lines are kept.`,
  activated: 'The alarm thresholds of your callers are active.',
  changed: 'Calls have come in since these lines were drawn. Check the new numbers, then activate again.',
  back: 'Back to the lines before',
  backDone: 'The lines before are in use again.',
  backText: 'The lines that you have just replaced are kept.',
  /** What a revision is about. */
  kept: (lines: string) => `Alarm thresholds for synthetic speech from own callers: ${lines}`,
  keptLine: (band: string, risk: number, calls: number, callers: number) =>
    `${band} ${num(risk)} (${many(calls, '# call', '# calls')} of ${many(callers, '# caller', '# callers')})`,
  nowhere: 'Choose a config set at the top to save lines for it.',
};
