// Agent attributes as people write them: one per line, `language=de` or `language: de`. Any other line, or a
// name that appears twice, is reported as an error; nothing is dropped silently.
import { t } from '../../text/engagement.js';

interface ReadAttributes {
  attributes: Record<string, string>;
  /** The problem with the first unusable line. */
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
    // Names are case-insensitive.
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

/** In the form of the availability request: `name,value;name,value`. */
export function attributeQuery(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name},${value}`)
    .join(';');
}
