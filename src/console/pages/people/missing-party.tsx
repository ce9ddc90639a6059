// Shown instead of a missing entry: a deleted person may have left recordings, which can still be erased.
import { useState, type ReactNode } from 'react';
import { call } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { useAction } from '../../api/hooks.js';
import { shortId } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog } from '../../kit/dialog.js';
import { EmptyState } from '../../kit/notice.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { Allowed } from '../../tenant/allowed.js';
import { ifFound, useInSession, useReadContext } from '../../tenant/context.js';
import { useMay } from '../../tenant/rights.js';
import { t } from '../../text/people.js';
import type { PartyKind } from '../biosec/party-picker.js';
import { ErasureText, keptAfter, keptBefore, keptLines, KeptTexts, useErasure } from './erasure.js';
import { DataProtection } from './data-protection.js';
import { Certificate } from './certificate.js';
import { partyKinds } from './kinds.js';

export function MissingParty({ kind, gkId }: { kind: PartyKind; gkId: string }): ReactNode {
  const { text } = partyKinds[kind];
  const may = useMay();
  const erasure = useErasure(kind === 'person' && may('GetErasure') ? gkId : undefined);
  if (kind === 'fraudster')
    return (
      <EmptyState icon="people" title={text.missing}>
        {t.missingText}
      </EmptyState>
    );
  const { erasedTime, isRunning } = erasure.data ?? {};
  if (erasure.data && erasedTime)
    return (
      <div className="stack">
        <EmptyState icon="people" title={t.erase.erased}>
          {isRunning ? t.erase.running : <Time at={erasedTime} within={t.erase.erasedOn} />}{' '}
          {keptLines(erasure.data).join(' ')}
          <KeptTexts erasure={erasure.data} as="p" />
          {isRunning ? null : <Certificate gkId={gkId} />}
        </EmptyState>
        <DataProtection gkId={gkId} id={shortId(gkId)} isErased />
      </div>
    );
  return (
    <EmptyState
      icon="people"
      title={text.missing}
      action={
        <Allowed to="DeletePersonalData">
          <EraseRest gkId={gkId} onDone={erasure.reload} />
        </Allowed>
      }
    >
      {t.missingText} {t.rest.text}
    </EmptyState>
  );
}

function EraseRest({ gkId, onDone }: { gkId: string; onDone: () => void }): ReactNode {
  const [isAsked, setAsked] = useState(false);
  const read = useReadContext();
  const inSession = useInSession();
  const erasure = useAction(async () => {
    const before = await keptBefore(read, gkId);
    const asked = await ifFound(
      inSession((context) => call('DeletePersonalData', { context, gkPersonId: { value: gkId } })),
    );
    if (!asked) throw new ApiError(t.rest.nothing, { code: 'NOT_FOUND' });
    const kept = await keptAfter(read, gkId, before);
    toast(kept === undefined ? t.rest.begun : t.rest.done);
    setAsked(false);
    onDone();
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
          consequence={<ErasureText gkId={gkId} />}
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
