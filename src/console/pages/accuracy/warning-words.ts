// What the server says against a result, in the reader's words.
import type { LocalizedMessageJson } from '../../../gen/vendor/rpc/status_pb.js';
import { wholeWords } from '../../format/refusal.js';
import { t } from '../../text/accuracy.js';
import { t as server } from '../../text/refusals.js';

/** `groupWords` writes the name of a group as the table does. */
export function warningWords(
  warning: LocalizedMessageJson,
  groupWords: (group: string) => string = (group) => group,
): string {
  const { group, ...others } = warning.parameters ?? {};
  const parameters = group === undefined ? others : { ...others, group: groupWords(group) };
  return wholeWords({ ...warning, parameters }, { ...server, said: { ...server.said, ...t.said } });
}
