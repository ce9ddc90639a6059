// The tenant's own IDs under which a person was known, and until when: batch lines name people by these.

export interface NameOfPerson {
  name: string;
  /**
   * When it was given up; absent if they still have it. Somebody with this name since then is another person.
   */
  untilMs?: number;
}

/** A record of the audit trail about the person, with its personal part. */
export interface NamingRecord {
  operation: string;
  atMs: number;
  personal: Record<string, unknown>;
}

export const namingOperations = ['CreatePerson', 'RenamePerson', 'DeletePerson'] as const;

/** `records`: oldest first; the trail may have been cut. `current`: their current name, if they exist. */
export function namesOfPerson(records: readonly NamingRecord[], current?: string): NameOfPerson[] {
  const names: NameOfPerson[] = [];
  let last = current;
  for (const { operation, atMs, personal } of records) {
    const { externalId, from, to } = personal as Record<string, string | undefined>;
    if (operation === 'RenamePerson' && from) names.push({ name: from, untilMs: atMs });
    if (operation === 'DeletePerson' && externalId) names.push({ name: externalId, untilMs: atMs });
    last = operation === 'DeletePerson' ? undefined : (to ?? externalId ?? last);
  }
  const now = current ?? last;
  return now === undefined ? names : [...names, { name: now }];
}
