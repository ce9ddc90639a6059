// The page of a fraudster, with the stored calls in which the voice is heard, whatever name it was used under.
import { useState, type ReactNode } from 'react';
import { useAction } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { Card } from '../../kit/layout.js';
import { Allowed } from '../../tenant/allowed.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t } from '../../text/voice-search.js';
import type { PageProps } from '../page.js';
import { FraudsterPage } from '../people/party.js';
import { FoundCalls } from './call-table.js';
import { findCalls, trainedPrints, type Answer } from './fraudster-search.js';
import { IfAllowed, SearchProblem } from './problem.js';
import { daysOf } from './search-form.js';

const text = t.fraudster;

export function FraudsterCallsPage({ params }: PageProps): ReactNode {
  const read = useReadContext();
  return (
    <FraudsterPage params={params}>
      {read ? (
        <Allowed to="FindCalls">
          <CallsOfVoice read={read} gkFraudsterId={params['gkFraudsterId'] ?? ''} />
        </Allowed>
      ) : null}
    </FraudsterPage>
  );
}

function CallsOfVoice({ read, gkFraudsterId }: { read: Context; gkFraudsterId: string }): ReactNode {
  const [answer, setAnswer] = useState<Answer>();
  const [isUntrained, setUntrained] = useState(false);
  const search = useAction(async () => {
    const prints = await trainedPrints(read, gkFraudsterId);
    setUntrained(prints.length === 0);
    if (prints.length > 0) setAnswer(await findCalls(read, prints, daysOf('')));
  });
  return (
    <Card title={text.ofVoice} hint={text.ofVoiceHint}>
      <IfAllowed read={read}>
        {answer ? (
          <FoundCalls {...answer} />
        ) : (
          <Button busy={search.busy} onClick={() => void search.run()}>
            {t.search}
          </Button>
        )}
        {isUntrained ? <p className="soft">{text.noPrint}</p> : null}
        {search.error ? <SearchProblem error={search.error} /> : null}
      </IfAllowed>
    </Card>
  );
}
