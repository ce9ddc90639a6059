// What a batch is described with is one member of the settings of its job, which are a text by themselves. It is kept beside them, so
// that it can be sealed; in the settings it is blank, where a node of an earlier version looks for it.

interface Document {
  input: string;
  /** Sealed: see texts.ts. */
  description?: string;
}

/** Before it is sealed. */
export function withdrawDescription<T extends Document>(document: T): T {
  const settings = settingsIn(document);
  const { description } = settings;
  if (typeof description !== 'string' || description === '') return document;
  return { ...document, input: JSON.stringify({ ...settings, description: '' }), description };
}

/** After it was opened. */
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
