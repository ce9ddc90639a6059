// Agent attributes as people write them: one per line, `language=de` or `language: de`. A line that is neither is
// refused by name; nothing is dropped in silence.

export interface ReadAttributes {
  attributes: Record<string, string>;
  /** The first line that cannot be read. */
  wrong: string | undefined;
}

const line = /^([^=:]+?)\s*[=:]\s*(.+)$/;

export function readAttributes(text: string): ReadAttributes {
  const attributes: Record<string, string> = {};
  for (const part of text.split('\n').map((each) => each.trim())) {
    if (part === '') continue;
    const [, name, value] = line.exec(part) ?? [];
    if (name === undefined || value === undefined || name in attributes) return { attributes, wrong: part };
    attributes[name] = value;
  }
  return { attributes, wrong: undefined };
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
