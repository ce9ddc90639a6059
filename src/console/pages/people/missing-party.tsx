// Instead of somebody who is not there: a person who was deleted may have left recordings, which can still be erased.
import { useState, type ReactNode } from 'react';
import { call } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { useAction } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog } from '../../kit/dialog.js';
import { EmptyState } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import { Allowed } from '../../tenant/allowed.js';
import { ifFound, useInSession } from '../../tenant/context.js';
import { t } from '../../text/people.js';
import type { PartyKind } from '../biosec/party-picker.js';
import { partyKinds } from './kinds.js';

export function MissingParty({ kind, gkId }: { kind: PartyKind; gkId: string }): ReactNode {
  const { text } = partyKinds[kind];
  if (kind === 'fraudster')
    return (
      <EmptyState icon="people" title={text.missing}>
        {t.missingText}
      </EmptyState>
    );
  return (
    <EmptyState
      icon="people"
      title={text.missing}
      action={
        <Allowed to="DeletePersonalData">
          <EraseRest gkId={gkId} />
        </Allowed>
      }
    >
      {t.missingText} {t.rest.text}
    </EmptyState>
  );
}

function EraseRest({ gkId }: { gkId: string }): ReactNode {
  const [isAsked, setAsked] = useState(false);
  const inSession = useInSession();
  const erasure = useAction(async () => {
    const asked = await ifFound(
      inSession((context) => call('DeletePersonalData', { context, gkPersonId: { value: gkId } })),
    );
    if (!asked) throw new ApiError(t.rest.nothing, { code: 'NOT_FOUND' });
    toast(t.rest.done);
    setAsked(false);
  });
  return (
    <>
      <Button kind="danger" onClick={() => setAsked(true)}>
        {t.rest.action}
      </Button>
      {isAsked ? (
        <ConfirmDialog
          title={t.rest.title}
          word={t.rest.word}
          consequence={t.erase.text}
          action={t.rest.action}
          onClose={() => setAsked(false)}
          onConfirm={() => void erasure.run()}
          busy={erasure.busy}
          error={erasure.error}
        />
      ) : null}
    </>
  );
}
