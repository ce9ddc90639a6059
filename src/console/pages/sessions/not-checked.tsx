// A recording whose voice matched and which no attack check has heard: that is said beside the match, and can be made up for.
import { useState, type ReactNode } from 'react';
import { useAction } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { Badge } from '../../kit/layout.js';
import { ErrorNotice } from '../../kit/notice.js';
import { Allowed } from '../../tenant/allowed.js';
import { useInSession, useReadContext } from '../../tenant/context.js';
import { t } from '../../text/sessions.js';
import { useConfigset } from '../biosec/parameters.js';
import { AttackResults } from '../voice/attack-results.js';
import { checkAttacks, type AttackAnswer } from '../voice/lab-api.js';

const text = t.heard;

export function NotChecked({ media }: { media: string }): ReactNode {
  const configset = useConfigset(useReadContext());
  const inSession = useInSession('SESSION_TYPE_FRAUD_ANALYST');
  const [answer, setAnswer] = useState<AttackAnswer>();
  const check = useAction(async () => {
    const sent = { media: { value: media }, channel: undefined };
    setAnswer(await inSession((context) => checkAttacks(context, sent)));
  });
  return (
    <section className="stack heard-check" data-tight aria-label={text.attacks}>
      <div className="row">
        <h3>{text.attacks}</h3>
        <Badge tone={answer ? 'neutral' : 'warn'}>{answer ? text.checkedBadge : text.notChecked}</Badge>
      </div>
      {answer ? (
        <>
          <p className="small soft">{text.checkedNow}</p>
          <AttackResults answer={answer} configset={configset} />
        </>
      ) : (
        <>
          <p className="small">
            <strong>{text.notCheckedText}</strong> {text.notCheckedNext}
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
    </section>
  );
}
