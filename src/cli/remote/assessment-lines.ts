// What a session means as lines for people: in the words that lists, pages and spreadsheets use.
import type { SessionAssessmentJson } from '../../gen/voxgate/biosec/v1/assessment_pb.js';
import { text as words } from '../../words/english.js';
import {
  caveatMeaning,
  caveatNames,
  caveatWords,
  causeWords,
  headlineWord,
  nextStep,
  shownParties,
} from '../../words/tell.js';

/** Everybody by their own ID, each with how they go together with the voice. */
export const peopleIn = (assessment: SessionAssessmentJson): string =>
  shownParties(words, assessment)
    .map(({ name, role }) => [name, role].filter(Boolean).join(' '))
    .join(', ');

/** `known`: what else is known of its case, which needs no next step once it is closed. */
export function assessmentLines(
  assessment: SessionAssessmentJson,
  { isClosed = false, ...known }: { case?: string; outcome?: string; isClosed?: boolean } = {},
): string[] {
  const head = {
    result: headlineWord(words, assessment),
    because: causeWords(words, assessment).join(', '),
    people: peopleIn(assessment),
    ...known,
    next: isClosed ? '' : nextStep(words, assessment),
  };
  return [
    ...Object.entries(head).flatMap(([name, said]) => (said ? [`${name}: ${said}`] : [])),
    ...caveatNames(assessment).map(
      (name) => `caveat: ${caveatWords(words, assessment, name)}. ${caveatMeaning(words, assessment, name)}`,
    ),
  ];
}
