// Chooses a person or a fraudster by part of the identifier or the name.
import type { ReactNode } from 'react';
import { call } from '../../api/client.js';
import { useLast, useQuery } from '../../api/hooks.js';
import { Combobox, type Suggestion } from '../../kit/combobox.js';
import { usePaused } from '../../kit/filters.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t } from '../../text/voice.js';

export type PartyKind = 'person' | 'fraudster';

const SUGGESTIONS_MAX = 8;

export function PartyPicker({
  kind,
  label,
  hint = t.picker.hint,
  value,
  onValue,
  error,
  onlyKnown = false,
  autoFocus = false,
}: {
  kind: PartyKind;
  label: string;
  hint?: string;
  value: string;
  onValue: (externalId: string) => void;
  error?: string | undefined;
  /** Only existing ones may be chosen: says so if none matches. */
  onlyKnown?: boolean;
  autoFocus?: boolean;
}): ReactNode {
  const read = useReadContext();
  const sought = usePaused(value.trim());
  const found = useQuery(read && `pick ${kind} ${read.gkScopeId.value} ${sought}`, (signal) =>
    read ? suggest(kind, read, sought, signal) : Promise.resolve([]),
  );
  // The last results stay until the next answer: a list that vanishes for a moment would lose the highlighted
  // entry.
  const shown = useLast(`pick ${kind} ${read?.gkScopeId.value ?? ''}`, found.data) ?? [];
  return (
    <Combobox
      label={label}
      hint={hint}
      error={error}
      value={value}
      onValue={onValue}
      suggestions={shown}
      emptyNote={onlyKnown && found.data ? t.picker.none : undefined}
      autoFocus={autoFocus}
    />
  );
}

async function suggest(
  kind: PartyKind,
  context: Context,
  query: string,
  signal: AbortSignal,
): Promise<Suggestion[]> {
  const request = { context, query, pageSize: SUGGESTIONS_MAX };
  const note = (first: string | undefined, last: string | undefined, trained: number | undefined): string =>
    [[first, last].filter(Boolean).join(' '), trained ? '' : t.picker.noVoiceprint]
      .filter(Boolean)
      .join(', ');
  if (kind === 'person') {
    const { persons = [] } = await call('ListPersons', request, signal);
    return persons.map(({ details, trainedProfileCount }) => ({
      value: details?.personId ?? '',
      note: note(details?.firstName, details?.lastName, trainedProfileCount),
    }));
  }
  const { fraudsters = [] } = await call('ListFraudsters', request, signal);
  return fraudsters.map(({ details, trainedProfileCount }) => ({
    value: details?.fraudsterId ?? '',
    note: note(details?.firstName, details?.lastName, trainedProfileCount),
  }));
}
