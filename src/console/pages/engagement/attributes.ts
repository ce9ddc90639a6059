// Agent attributes as people write them: one per line, `language=de` or `language: de`. A line that is neither is
// refused by name, and so is a name that is there twice; nothing is dropped in silence.
import { t } from '../../text/engagement.js';

interface ReadAttributes {
  attributes: Record<string, string>;
  /** What is wrong with the first line that cannot be taken. */
  problem: string | undefined;
}

const line = /^([^=:]+?)\s*[=:]\s*(.+)$/;

export function readAttributes(text: string): ReadAttributes {
  const attributes: Record<string, string> = {};
  const seen = new Set<string>();
  for (const part of text.split('\n').map((each) => each.trim())) {
    if (part === '') continue;
    const [, name, value] = line.exec(part) ?? [];
    if (name === undefined || value === undefined)
      return { attributes, problem: t.agents.attributesError(part) };
    // Capitals make no other name.
    if (seen.has(name.toLowerCase())) return { attributes, problem: t.agents.attributesTwice(name) };
    seen.add(name.toLowerCase());
    attributes[name] = value;
  }
  return { attributes, problem: undefined };
}

export function attributeText(attributes: Readonly<Record<string, string>> = {}): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}

/** As the availability question has them: `name,value;name,value`. */
export function attributeQuery(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name},${value}`)
    .join(';');
}
