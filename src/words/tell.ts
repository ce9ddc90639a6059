// An assessment by the names under which the catalogue has its words.
import type { SessionAssessmentJson } from '../gen/voxgate/biosec/v1/assessment_pb.js';
import type { AssessmentWords, CaveatName, HeadlineName } from './catalogue.js';

export function headlineWord(
  { headlines }: AssessmentWords,
  { headline = 'SESSION_HEADLINE_NONE', inheritedFrom }: SessionAssessmentJson,
): string {
  const name = headline.replace('SESSION_HEADLINE_', '') as HeadlineName | 'UNSPECIFIED';
  const { word, inherited } = headlines[name === 'UNSPECIFIED' ? 'NONE' : name];
  return (inheritedFrom && inherited) || word;
}

/** In the order in which they are told. */
export const caveatNames = ({ caveats = [] }: SessionAssessmentJson): CaveatName[] =>
  caveats.flatMap((caveat) =>
    caveat === 'SESSION_CAVEAT_UNSPECIFIED' ? [] : (caveat.replace('SESSION_CAVEAT_', '') as CaveatName),
  );
