// Second factors besides the password: an authenticator app, passkeys, and recovery codes in case they are
// lost.
import { useState, type ReactNode } from 'react';
import type {
  BeginAuthenticatorResponseJson,
  GetSecondFactorsResponseJson,
} from '../../../gen/voxgate/management/v1/factors_pb.js';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { Copy, downloadFile } from '../../kit/copy.js';
import { FormDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Badge, Card } from '../../kit/layout.js';
import { Loaded, Notice } from '../../kit/notice.js';
import { OnceDialog } from '../../kit/once-dialog.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { t } from '../../text/account.js';
import './account.css';
import { Passkeys } from './passkeys.js';
import { ProofQuestion, enrolledFactors, type EnrolledFactors } from './proof-question.js';

const text = t.factors;

type Open =
  | { kind: 'begin' | 'remove' | 'renew' }
  | { kind: 'confirm'; setup: BeginAuthenticatorResponseJson }
  | { kind: 'codes'; codes: readonly string[] };

export function SecondFactors(): ReactNode {
  const [open, setOpen] = useState<Open>();
  const factors = useQuery('second-factors', (signal) => call('GetSecondFactors', {}, signal));
  const showCodes = (codes: readonly string[] = []): void => {
    setOpen({ kind: 'codes', codes });
    factors.reload();
  };
  const close = (): void => setOpen(undefined);
  return (
    <Loaded query={factors}>
      {(found) => (
        <div className="stack">
          <Authenticator found={found} onOpen={(kind) => setOpen({ kind })} />
          <Passkeys
            passkeys={found.passkeys ?? []}
            available={found.passkeysAvailable ?? false}
            held={enrolledFactors(found)}
            onChanged={factors.reload}
            onCodes={showCodes}
          />
          {found.authenticatorTimestamp || found.passkeys?.length ? (
            <RecoveryCodes left={found.recoveryCodesLeft ?? 0} onRenew={() => setOpen({ kind: 'renew' })} />
          ) : null}
          {open ? (
            <OpenDialog
              open={open}
              held={enrolledFactors(found)}
              onClose={close}
              onSetup={(setup) => setOpen({ kind: 'confirm', setup })}
              onCodes={showCodes}
              onRemoved={() => {
                close();
                toast(text.removed);
                factors.reload();
              }}
            />
          ) : null}
        </div>
      )}
    </Loaded>
  );
}

function Authenticator({
  found: { authenticatorTimestamp, passkeys = [], required = false },
  onOpen,
}: {
  found: GetSecondFactorsResponseJson;
  onOpen: (kind: 'begin' | 'remove') => void;
}): ReactNode {
  const isOn = authenticatorTimestamp !== undefined;
  return (
    <Card title={text.app} hint={text.appHint}>
      <div className="stack">
        {required && !isOn && passkeys.length === 0 ? <Notice tone="warn">{text.required}</Notice> : null}
        <p>
          <Badge tone={isOn ? 'good' : 'neutral'}>{isOn ? text.on : text.off}</Badge>{' '}
          {isOn ? (
            <span className="soft small">
              {text.since} <Time at={authenticatorTimestamp} />
            </span>
          ) : null}
        </p>
        <div className="row">
          <Button kind={isOn ? 'plain' : 'primary'} onClick={() => onOpen('begin')}>
            {isOn ? text.replace : text.setUp}
          </Button>
          {isOn && (!required || passkeys.length > 0) ? (
            <Button kind="danger" onClick={() => onOpen('remove')}>
              {text.remove}
            </Button>
          ) : null}
        </div>
      </div>
    </Card>
  );
}

function RecoveryCodes({ left, onRenew }: { left: number; onRenew: () => void }): ReactNode {
  return (
    <Card title={text.codes} hint={text.codesHint}>
      <div className="stack">
        {left < 3 ? <Notice tone="warn">{text.codesLeft(left)}</Notice> : <p>{text.codesLeft(left)}</p>}
        <div>
          <Button onClick={onRenew}>{text.renew}</Button>
        </div>
      </div>
    </Card>
  );
}

function OpenDialog({
  open,
  held,
  onClose,
  onSetup,
  onCodes,
  onRemoved,
}: {
  open: Open;
  held: EnrolledFactors;
  onClose: () => void;
  onSetup: (setup: BeginAuthenticatorResponseJson) => void;
  onCodes: (codes: readonly string[] | undefined) => void;
  onRemoved: () => void;
}): ReactNode {
  switch (open.kind) {
    case 'begin':
      return (
        <ProofQuestion
          held={held}
          title={text.setUpTitle}
          action={text.next}
          onClose={onClose}
          run={async (shown) => onSetup(await call('BeginAuthenticator', shown))}
        />
      );
    case 'confirm':
      return <ConfirmDialog setup={open.setup} onClose={onClose} onCodes={onCodes} />;
    case 'renew':
      return (
        <ProofQuestion
          held={held}
          title={text.renewTitle}
          action={text.renew}
          about={text.renewText}
          onClose={onClose}
          run={async (shown) => onCodes((await call('RenewRecoveryCodes', shown)).recoveryCodes)}
        />
      );
    case 'remove':
      return (
        <ProofQuestion
          held={held}
          title={text.removeTitle}
          action={text.remove}
          about={text.removeText}
          danger
          onClose={onClose}
          run={async (shown) => {
            await call('RemoveAuthenticator', shown);
            onRemoved();
          }}
        />
      );
    case 'codes':
      return <CodesDialog codes={open.codes} onClose={onClose} />;
  }
}

function ConfirmDialog({
  setup: { setupToken, secret = '', qrPath = '', qrSize = 0 },
  onClose,
  onCodes,
}: {
  setup: BeginAuthenticatorResponseJson;
  onClose: () => void;
  onCodes: (codes: readonly string[] | undefined) => void;
}): ReactNode {
  const form = useForm({ code: '' }, async ({ code }) => {
    const answer = await call('ConfirmAuthenticator', { setupToken, code });
    onCodes(answer.recoveryCodes);
  });
  return (
    <FormDialog
      title={text.setUpTitle}
      onClose={onClose}
      submitLabel={text.confirm}
      disabled={form.draft.code.trim() === ''}
      {...form.submit}
    >
      <p>{text.scan}</p>
      <svg className="qr" viewBox={`0 0 ${qrSize} ${qrSize}`} role="img" aria-label={text.qr}>
        <path d={qrPath} />
      </svg>
      <div>
        <div className="field-label">{text.key}</div>
        <Copy text={secret} label={text.keyLabel} wrap />
      </div>
      <TextField
        label={text.code}
        hint={text.codeHint}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        {...form.text('code')}
      />
    </FormDialog>
  );
}

function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }): ReactNode {
  const lines = codes.join('\n');
  return (
    <OnceDialog
      title={text.codes}
      text={{ once: t.users.once, onceText: text.codesText, stored: text.stored, done: text.done }}
      onClose={onClose}
      actions={
        <Button onClick={() => downloadFile('voxgate-recovery-codes.txt', `${lines}\n`, 'text/plain')}>
          {text.download}
        </Button>
      }
    >
      <Copy text={lines} label={text.codesLabel} block />
    </OnceDialog>
  );
}
