// The server's messages as sentences for people.
import { t } from '../text/shell.js';

/**
 * Capitalizes the first letter, ends with one full stop and removes internal names: server messages are
 * lower-case fragments. `isManifest`: the message is about the text of a manifest.
 */
export function sentence(text: string, isManifest = false): string {
  const plain = withoutFieldNames(text.trim(), isManifest ? columns : noColumns);
  if (plain === '') return '';
  // The name of a setting keeps its spelling.
  const opened = /^[a-z]+\.[a-zA-Z]/.test(plain) ? plain : plain.charAt(0).toUpperCase() + plain.slice(1);
  return /[.!?]$/.test(opened) ? opened : `${opened}.`;
}

/** A quotation, which is the user's own text; or a path in a request, as the contract spells it. */
const quotedOrField = /"[^"]*"|'[^']*'|“[^”]*”|\b(?:[a-z]\w*\.)*[a-z]+(?:_[a-z\d]+)+\b/g;

/** Column names of manifests: users have to write them exactly like this. */
const columns: ReadonlySet<string> = new Set([
  'speaker_id',
  'person_id',
  'fraudster_id',
  'request_id',
  's3_uri',
]);
const noColumns: ReadonlySet<string> = new Set();

function withoutFieldNames(text: string, kept: ReadonlySet<string>): string {
  return text.replace(quotedOrField, (found) => {
    if (!/^[a-z]/.test(found) || kept.has(found)) return found;
    const name = (found.split('.').at(-1) ?? '').replace(/_([a-z\d])/g, (_, letter: string) =>
      letter.toUpperCase(),
    );
    const known = t.errors.fieldNames[name];
    const words = found.split('.').at(-1)?.replace(/^gk_/, '').split('_') ?? [];
    return known?.toLowerCase() ?? words.map((word) => (word === 'id' ? 'ID' : word)).join(' ');
  });
}
