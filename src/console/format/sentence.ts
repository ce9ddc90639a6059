// What the server says, as a sentence for people.
import { t } from '../text/shell.js';

/** First letter up, one full stop, no internal names: server messages are lower-case fragments. `isManifest`: it is about the text of one. */
export function sentence(text: string, isManifest = false): string {
  const plain = withoutFieldNames(text.trim(), isManifest ? columns : noColumns);
  if (plain === '') return '';
  // The name of a setting is written as it is.
  const opened = /^[a-z]+\.[a-zA-Z]/.test(plain) ? plain : plain.charAt(0).toUpperCase() + plain.slice(1);
  return /[.!?]$/.test(opened) ? opened : `${opened}.`;
}

/** What is quoted, which is somebody's own; or a path in a request, in the words of the contract. */
const quotedOrField = /"[^"]*"|'[^']*'|“[^”]*”|\b(?:[a-z]\w*\.)*[a-z]+(?:_[a-z\d]+)+\b/g;

/** Of manifests: whoever is told to write one has to write it like this. */
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
