// The description of a batch is part of its job's settings, which are stored as one text. It is moved out of
// them so that it can be sealed; the settings keep a blank one, for nodes of an earlier version that look for
// it there.

interface Document {
  input: string;
  /** Sealed: see texts.ts. */
  description?: string;
}

/** Call before sealing. */
export function withdrawDescription<T extends Document>(document: T): T {
  const settings = settingsIn(document);
  const { description } = settings;
  if (typeof description !== 'string' || description === '') return document;
  return { ...document, input: JSON.stringify({ ...settings, description: '' }), description };
}

/** Call after opening. */
export function restoreDescription<T extends Document>({
  description,
  ...document
}: T): Omit<T, 'description'> {
  if (!description) return document;
  return { ...document, input: JSON.stringify({ ...settingsIn(document), description }) };
}

function settingsIn({ input }: Pick<Document, 'input'>): Record<string, unknown> {
  // Not every kind of job has settings.
  const read: unknown = input.startsWith('{') ? JSON.parse(input) : {};
  return read as Record<string, unknown>;
}
