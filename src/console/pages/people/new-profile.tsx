// Creates an empty voiceprint, to which recordings are added.
import type { ReactNode } from 'react';
import { call } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { ErrorNotice } from '../../kit/notice.js';
import { useInSession } from '../../tenant/context.js';
import { t } from '../../text/people.js';
import { LAB_TAG } from '../voice/lab-api.js';
import type { PartyKind } from '../biosec/party-picker.js';
import { partyKinds } from './kinds.js';

export function NewProfile({
  kind,
  gkId,
  onMade,
}: {
  kind: PartyKind;
  gkId: string;
  onMade: () => void;
}): ReactNode {
  const inSession = useInSession();
  const make = useAction(async () => {
    const owner = { ...partyKinds[kind].owner(gkId), tag: LAB_TAG };
    await inSession((context) => call('CreateVoiceprintProfile', { context, owner }));
    onMade();
  });
  return (
    <>
      <Button kind="primary" busy={make.busy} onClick={() => void make.run()}>
        {t.party.begin}
      </Button>
      {make.error ? <ErrorNotice error={make.error} /> : null}
    </>
  );
}
