// Keys of the installation, without their secret part, and a way to add a new signing key.
import { useState, type ReactNode } from 'react';
import type { KeyInfoJson } from '../../../gen/voxgate/management/v1/system_pb.js';
import { call } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { shortId } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog } from '../../kit/dialog.js';
import { Checkbox } from '../../kit/field.js';
import { Badge, Card } from '../../kit/layout.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { t } from '../../text/system.js';

const text = t.keys;

export function Keys({
  keys,
  onRotated,
}: {
  keys: readonly KeyInfoJson[];
  onRotated: () => void;
}): ReactNode {
  const [asking, setAsking] = useState(false);
  const [compromised, setCompromised] = useState(false);
  const rotation = useAction(async () => {
    const { unconfirmedServers = [] } = await call('RotateSigningKey', { compromised });
    if (unconfirmedServers.length > 0) toast(text.unconfirmed(unconfirmedServers), 'bad');
    else toast(compromised ? text.dropped : text.rotated);
    setAsking(false);
    onRotated();
  });
  return (
    <Card
      title={text.title}
      actions={
        <Button
          kind="danger"
          onClick={() => {
            setCompromised(false);
            setAsking(true);
          }}
        >
          {text.rotate}
        </Button>
      }
    >
      <Table
        caption={text.title}
        rows={keys}
        rowKey={(key) => `${key.purpose ?? ''} ${key.keyId ?? ''}`}
        columns={[
          { label: text.key, cell: (key) => <code title={key.keyId}>{shortId(key.keyId)}</code> },
          { label: text.for, cell: (key) => t.purposes[key.purpose ?? 'KEY_PURPOSE_UNSPECIFIED'] },
          {
            label: text.state,
            cell: ({ state = 'KEY_STATE_UNSPECIFIED' }) => (
              <Badge tone={state === 'KEY_STATE_ACTIVE' ? 'good' : 'neutral'}>{t.keyStates[state]}</Badge>
            ),
          },
          { label: text.algorithm, cell: (key) => key.algorithm },
          { label: text.created, whole: true, cell: (key) => <Time at={key.creationTimestamp} /> },
          { label: text.validUntil, whole: true, cell: (key) => <Time at={key.notAfterTimestamp} /> },
        ]}
      />
      {asking ? (
        <ConfirmDialog
          title={text.rotate}
          word={text.word}
          consequence={
            <>
              <p>{text.rotateText}</p>
              <Checkbox
                label={text.compromised}
                hint={text.compromisedHint}
                checked={compromised}
                onChecked={setCompromised}
              />
            </>
          }
          action={text.rotateAction}
          onClose={() => setAsking(false)}
          onConfirm={() => void rotation.run()}
          busy={rotation.busy}
          error={rotation.error}
        />
      ) : null}
    </Card>
  );
}
