// docs/reference/assessment.md: every headline and caveat of an assessment, from the tables that the server, the console and the command
// line use.
import { toneOf } from '../src/biometrics/assessment/assess.js';
import { caveatNames, caveats } from '../src/biometrics/assessment/caveats.js';
import { headlines } from '../src/biometrics/assessment/model.js';
import { text as english } from '../src/words/english.js';
import { text as german } from '../src/words/german.js';

const note = '<!-- Made by scripts/generate-texts.ts; do not edit. -->';

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const yes = (isSo: boolean): string => (isSo ? 'yes' : '');

/** A member of an enum that the catalogue has words for; a test compares the two lists. */
const textsOf = <Texts>(texts: Readonly<Record<string, Texts>>, name: string): Texts => {
  const found = texts[name];
  if (!found) throw new Error(`no words for ${name}`);
  return found;
};

export function assessmentPage(): string {
  return [
    '# Assessment of a session',
    '',
    note,
    '',
    'What a session means is worked out in one place (`src/biometrics/assessment`) and is one message, `SessionAssessment`: in',
    'ListSessions, GetSessionTimeline, batch results, live events, events and webhooks, the console, the command line and exports;',
    'GetSessionDecision has it as diagnostics. It has a headline, a tone, the causes of the headline, caveats in the order below, who',
    'called, the session that an inherited decision comes from, and what was found later. Live events, events and webhooks name nobody.',
    '',
    '**Green** (`SESSION_TONE_GOOD`) means: a positive headline, and no caveat that takes green away. It means the same everywhere.',
    '',
    '- An attack check that cannot answer on the channel of the call, such as playback on the telephone, is no caveat',
    '  (`unavailable_checks`).',
    '- An attack check that ran and raised an alarm makes the headline `FRAUD`, or `UNCERTAIN` if the alarm was not confirmed.',
    '- An attack check that ran and could not decide is the caveat `ATTACK_CHECK_UNRESOLVED`. It takes green away only if the config set',
    '  says so (`attackChecks.requiredForGreen`).',
    '- `causes` names the checks that a `FRAUD`, `UNCERTAIN` or `FAILED` rests on, and with `LOW_RELIABILITY` [why](errors-and-reasons.md#causes-of-low-reliability).',
    '- The last result of each check of each recording counts. A later check of the same recording, or a later recording of the session',
    '  that matched and passed the same check, settles what was open.',
    '',
    '## Headlines',
    '',
    row('`SESSION_HEADLINE_`', 'Tone', 'English', 'German', 'Meaning'),
    '|---|---|---|---|---|',
    ...headlines.map((name) => {
      const { word, meaning } = textsOf(english.headlines, name);
      return row(
        `\`${name}\``,
        toneOf(name, []).toLowerCase(),
        word,
        textsOf(german.headlines, name).word,
        meaning,
      );
    }),
    '',
    '## Caveats',
    '',
    'ListSessions finds sessions by each of them (`caveat`). *Inherited*: a session whose decision comes from another one has it too.',
    '',
    row('`SESSION_CAVEAT_`', 'English', 'German', 'Takes green', 'Asks for action', 'Inherited', 'Meaning'),
    '|---|---|---|---|---|---|---|',
    ...caveatNames.map((name) => {
      const { takesGreen, isInherited } = caveats[name];
      const { word, meaning, next } = textsOf(english.caveats, name);
      return row(
        `\`${name}\``,
        word,
        textsOf(german.caveats, name).word,
        name === 'ATTACK_CHECK_UNRESOLVED' ? 'by setting' : yes(takesGreen),
        yes(next !== ''),
        yes(isInherited),
        `${meaning} ${next}`.trim(),
      );
    }),
    '',
  ].join('\n');
}
