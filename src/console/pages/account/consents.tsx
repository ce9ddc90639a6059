// Programs that the user has allowed to act for them, with a way to revoke that.
import { useState, type ReactNode } from 'react';
import type { ConsentJson } from '../../../gen/voxgate/management/v1/users_pb.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog } from '../../kit/dialog.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { t } from '../../text/account.js';
import { t as shell } from '../../text/shell.js';

const text = t.consents;

export function Consents(): ReactNode {
  const [asked, setAsked] = useState<ConsentJson>();
  const list = useQuery(
    'consents',
    async (signal) => (await call('ListConsents', {}, signal)).consents ?? [],
  );
  const withdraw = useAction(async ({ clientId, name = '' }: ConsentJson) => {
    await call('WithdrawConsent', { clientId });
    setAsked(undefined);
    toast(text.withdrawn(name));
    list.reload();
  });
  return (
    <>
      <Loaded query={list}>
        {(consents) =>
          consents.length === 0 ? (
            <EmptyState icon="key" title={text.none}>
              {text.noneText}
            </EmptyState>
          ) : (
            <Table
              caption={text.caption}
              rows={consents}
              rowKey={(consent) => consent.clientId ?? ''}
              columns={[
                { label: text.program, cell: (consent) => <strong>{consent.name}</strong> },
                { label: text.owner, cell: (consent) => consent.ownerUsername || shell.none },
                { label: text.scopes, cell: (consent) => (consent.scopes ?? []).join(', ') },
                { label: text.since, whole: true, cell: (consent) => <Time at={consent.grantedTimestamp} /> },
                {
                  label: shell.actions,
                  actions: true,
                  cell: (consent) => (
                    <Button size="small" kind="danger" onClick={() => setAsked(consent)}>
                      {text.withdraw}
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {asked ? (
        <ConfirmDialog
          title={text.withdrawTitle(asked.name ?? '')}
          word={asked.name ?? ''}
          consequence={text.withdrawText}
          action={text.withdraw}
          onClose={() => setAsked(undefined)}
          onConfirm={() => void withdraw.run(asked)}
          busy={withdraw.busy}
          error={withdraw.error}
        />
      ) : null}
    </>
  );
}
