// Advice for a session whose decision comes from another session of its engagement.
import type { CarriedDecisionJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { t } from '../../text/sessions.js';
import type { Advice } from '../../text/tools.js';

const text = t.session.verdict.carried;

/** `claimed`: the own ID of the person whom the caller claims to be here. */
export function adviceOnCarried(
  decision: DecisionJson | undefined,
  { persons = [], fraudsters = [], isOtherPerson }: CarriedDecisionJson,
  claimed = '',
): Advice {
  const names = [...new Set(persons.map(({ personId = '' }) => personId))].join(', ');
  if (decision === 'DECISION_FRAUD') {
    const found = [...new Set(fraudsters.map(({ fraudsterId = '' }) => fraudsterId))].join(', ');
    return { ...text.alarm, title: text.alarm.title(found) };
  }
  if (decision === 'DECISION_NO_MATCH')
    return { ...text.noMatch, title: text.noMatch.title(names, isOtherPerson ? claimed : '') };
  if (decision !== 'DECISION_AUTHENTIC') return text.clear;
  const { title, ...words } = isOtherPerson ? text.other : text.same;
  return { ...words, title: title(names, claimed) };
}
