// The proof that nothing in an audit trail was changed or removed.
import { useState, type ReactNode } from 'react';
import type { AnswerOf } from '../../../client/contract.js';
import { useAction } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { fill } from '../../kit/fill.js';
import { ErrorNotice, Notice } from '../../kit/notice.js';
import { t } from '../../text/sessions.js';

const text = t.audit;

type Verdict = AnswerOf<'VerifyAuditChain'> | AnswerOf<'VerifySystemAudit'>;

/** The button that requests it, and its result. */
export function useProof(verify: () => Promise<Verdict>): { button: ReactNode; verdict: ReactNode } {
  const [proven, setProven] = useState<Verdict | undefined>();
  const proof = useAction(async () => {
    setProven(undefined);
    setProven(await verify());
  });
  const button = (
    <Button kind="primary" busy={proof.busy} onClick={() => void proof.run()}>
      {text.verify}
    </Button>
  );
  const verdict = (
    <>
      {proof.error ? <ErrorNotice error={proof.error} title={text.verifyFailed} /> : null}
      <div role="status">
        {proven?.intact ? (
          <Notice tone="good" title={text.intact(Number(proven.recordsChecked ?? 0))}>
            <span>{fill(text.newest, { hash: <code>{proven.headHash}</code> })}</span>
          </Notice>
        ) : proven ? (
          <Notice tone="bad" title={text.broken(proven.firstBrokenSequence ?? '?')}>
            <span>{proven.message}</span>
          </Notice>
        ) : null}
      </div>
    </>
  );
  return { button, verdict };
}
