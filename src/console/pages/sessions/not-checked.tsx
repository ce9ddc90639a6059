// A recording without one or both attack checks: says so beside the other checks, and offers to make them
// now.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useAction } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { Badge } from '../../kit/layout.js';
import { ErrorNotice } from '../../kit/notice.js';
import { Allowed } from '../../tenant/allowed.js';
import { useInSession } from '../../tenant/context.js';
import { useMay } from '../../tenant/rights.js';
import { t } from '../../text/sessions.js';
import { attackChecks, type AttackCheck } from '../../../marks/open-points.js';
import { attackWords } from './events.js';
import { checkAttacks } from '../voice/lab-api.js';

const text = t.heard;

function wordsOn(missing: readonly AttackCheck[]): { text: string; next: string; other: string } {
  const { notCheckedText, notCheckedNext, notCheckedOther } = text;
  if (missing.length === attackChecks.length)
    return { text: notCheckedText, next: notCheckedNext, other: notCheckedOther };
  const checks = missing.map(attackWords).join(', ');
  return { text: text.missingText(checks), next: text.missingNext, other: text.missingOther };
}

/** `isChecked`: the check was made meanwhile; `onChecked` loads its result. */
export function NotChecked({
  media,
  channel,
  missing,
  isChecked,
  onChecked,
}: {
  media: string;
  /** The channel whose voice was compared; undefined lets the server choose. */
  channel: number | undefined;
  missing: readonly AttackCheck[];
  isChecked: boolean;
  onChecked: () => void;
}): ReactNode {
  const may = useMay();
  const inSession = useInSession('SESSION_TYPE_FRAUD_ANALYST');
  const [isDone, setDone] = useState(false);
  const section = useRef<HTMLDivElement>(null);
  // The button is gone: keyboard users continue from here.
  useEffect(() => {
    if (isDone) section.current?.focus();
  }, [isDone]);
  const check = useAction(async () => {
    const sent = { media: { value: media }, channel };
    await inSession((context) => checkAttacks(context, sent));
    setDone(true);
    onChecked();
  });
  if (isChecked && !isDone) return null;
  const words = wordsOn(missing);
  return (
    <div
      className="stack heard-check"
      data-tight
      role="group"
      aria-label={text.attacks}
      ref={section}
      tabIndex={-1}
    >
      <div className="row">
        <h3>{text.attacks}</h3>
        <Badge tone={isDone ? 'neutral' : 'warn'}>{isDone ? text.checkedBadge : text.notChecked}</Badge>
      </div>
      {isDone ? (
        <p className="small soft">{text.checkedNow}</p>
      ) : (
        <>
          <p className="small">
            <strong>{words.text}</strong> {may('DetectAudioSpoofing') && media ? words.next : words.other}
          </p>
          {media ? (
            <Allowed to="DetectAudioSpoofing">
              <div>
                <Button size="small" busy={check.busy} onClick={() => void check.run()}>
                  {text.checkNow}
                </Button>
              </div>
            </Allowed>
          ) : null}
        </>
      )}
      {check.error ? <ErrorNotice error={check.error} /> : null}
    </div>
  );
}
