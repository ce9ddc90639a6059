// What a session means as lines for people: in the words that lists, pages and spreadsheets use.
import type { EngagementVerdictInfoJson } from '../../gen/vendor/biosec/v1/sessions/sessions_pb.js';
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

/** `known`: what else is known of its case, and how it was judged. */
export function assessmentLines(
  assessment: SessionAssessmentJson,
  { judged, ...known }: { case?: string; outcome?: string; judged?: EngagementVerdictInfoJson } = {},
): string[] {
  const head = {
    result: headlineWord(words, assessment),
    because: causeWords(words, assessment).join(', '),
    people: peopleIn(assessment),
    ...known,
    next: nextStep(words, assessment, judged),
  };
  return [
    ...Object.entries(head).flatMap(([name, said]) => (said ? [`${name}: ${said}`] : [])),
    ...caveatNames(assessment).map(
      (name) => `caveat: ${caveatWords(words, assessment, name)}. ${caveatMeaning(words, assessment, name)}`,
    ),
  ];
}
