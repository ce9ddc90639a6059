// What to say of a session whose decision comes from another session of its engagement.
import type { CarriedDecisionJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { t } from '../../text/sessions.js';
import type { Advice } from '../../text/tools.js';

const text = t.session.verdict.carried;

/** `claimed`: whom the caller claims to be here, by the own ID. */
export function adviceOnCarried(
  decision: DecisionJson | undefined,
  { persons = [], isOtherPerson }: CarriedDecisionJson,
  claimed = '',
): Advice {
  if (decision !== 'DECISION_AUTHENTIC') return text.clear;
  const names = [...new Set(persons.map(({ personId = '' }) => personId))].join(', ');
  const { title, ...words } = isOtherPerson ? text.other : text.same;
  return { ...words, title: title(names, claimed) };
}
