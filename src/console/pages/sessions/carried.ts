// Advice for a session whose decision comes from another session of its engagement, and what was found there since.
import type { CarriedDecisionJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { t } from '../../text/sessions.js';
import type { Advice } from '../../text/tools.js';
import { foundLaterIn, fraudsterWords } from '../biosec/session-words.js';
import { withMore } from './left-out.js';

const text = t.session.verdict.carried;

/** `claimed`: the own ID of the person whom the caller claims to be here. */
export function adviceOnCarried(
  decision: DecisionJson | undefined,
  carried: CarriedDecisionJson,
  claimed = '',
): Advice {
  // An alarm says the same anyway.
  const found = decision === 'DECISION_FRAUD' ? undefined : foundThere(carried);
  const advice = found ?? adviceOnDecision(decision, carried, claimed);
  return (carried.madeFraudsters ?? []).length > 0 ? withMore(advice, text.enrolledLater) : advice;
}

/** A known fraudster comes first. */
function foundThere({ foundLater = [] }: CarriedDecisionJson): Advice | undefined {
  const known = foundLater.flatMap(({ fraudster }) => (fraudster ? fraudsterWords(fraudster) : []));
  const [found, words] =
    known.length > 0 ? [known, text.fraudsterLater] : [foundLaterIn({ foundLater }), text.attackLater];
  return found.length > 0 ? { ...words, title: words.title(found.join(', ')) } : undefined;
}

function adviceOnDecision(
  decision: DecisionJson | undefined,
  { persons = [], fraudsters = [], isOtherPerson }: CarriedDecisionJson,
  claimed: string,
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
