// From a wanted false-accept rate to a threshold, and from there to a new revision of the config set.
import { useRef, useState, type ReactNode } from 'react';
import type { AnswerOf } from '../../../client/contract.js';
import type { LocalizedMessageJson } from '../../../gen/vendor/rpc/status_pb.js';
import { call } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { useAction } from '../../api/hooks.js';
import { num, shareWords } from '../../text/tools.js';
import { Button } from '../../kit/button.js';
import { TextField } from '../../kit/field.js';
import { fill } from '../../kit/fill.js';
import { Card, Facts } from '../../kit/layout.js';
import { ErrorNotice, Notice } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import type { Context } from '../../tenant/context.js';
import { t } from '../../text/accuracy.js';
import { readConfigset } from '../biosec/parameters.js';
import { rateWords, valueOf, type Measured } from './rates.js';
import { warningWords } from './warning-words.js';
import { Warnings } from './warnings.js';

const text = t.threshold;
/** At this risk, the rate alone determines the threshold; another value would move it. */
const RISK_LOW_DEFAULT = 300;
/** The server has the same limit (`assess-threshold.ts`). */
const WANTED_MAX = 0.1;

type Suggestion = AnswerOf<'SuggestThreshold'>;

export function ThresholdCard({
  read,
  source,
  activeScore,
  onSuggested,
  onSaved,
}: {
  read: Context;
  source: Measured;
  /** The score from which the active revision verifies, once it is known. */
  activeScore: number | undefined;
  onSuggested: (threshold: number) => void;
  onSaved: () => void;
}): ReactNode {
  const [wanted, setWanted] = useState('1');
  /** The current value of the field when an answer arrives. */
  const current = useRef(wanted);
  const [found, setFound] = useState<{ suggestion: Suggestion; target: number } | undefined>();
  /** A new search resets the outcome of the previous one. */
  const [round, setRound] = useState(0);
  const rate = Number(wanted.replace(',', '.')) / 100;
  const valid = rate > 0 && rate <= WANTED_MAX;
  const ask = (): Promise<Suggestion> =>
    call('SuggestThreshold', {
      context: read,
      targetFalseAcceptRate: rate,
      ...(source.kind === 'own' ? { ownPrints: {} } : { trials: { text: source.text } }),
    });
  const show = (suggestion: Suggestion): void => {
    // An answer for a rate that is no longer in the field is dropped.
    if (current.current !== wanted) return;
    setFound({ suggestion, target: rate });
    onSuggested(valueOf(suggestion.threshold?.value));
  };
  const search = useAction(async () => {
    show(await ask());
    setRound((before) => before + 1);
  });
  /** Saves what the voices yield now: prints and calibration may have changed since it was shown. */
  const checkAgain = async (shown: Suggestion): Promise<void> => {
    const now = await ask();
    if (isSame(now, shown)) return;
    show(now);
    throw new ApiError(text.changed, { code: 'CHANGED' });
  };
  return (
    <Card title={text.title} hint={text.hint}>
      <div className="stack">
        <form
          className="row accuracy-bar"
          onSubmit={(event) => {
            event.preventDefault();
            if (valid) void search.run();
          }}
        >
          <TextField
            label={text.wanted}
            inputMode="decimal"
            value={wanted}
            onValue={(value) => {
              setWanted(value);
              current.current = value;
              // A threshold for another rate must not be saved for this one.
              setFound(undefined);
            }}
            error={valid ? search.error?.problem('targetFalseAcceptRate') : text.range}
          />
          <Button type="submit" kind="primary" busy={search.busy} disabled={!valid}>
            {text.find}
          </Button>
        </form>
        {search.error ? (
          <ErrorNotice error={search.error} title={text.failed} shown={['targetFalseAcceptRate']} />
        ) : null}
        <div className="stack" role="status">
          {found ? (
            <Found
              key={round}
              {...found}
              activeScore={activeScore}
              read={read}
              checkAgain={checkAgain}
              onSaved={onSaved}
            />
          ) : null}
        </div>
      </div>
    </Card>
  );
}

/** Compares the parts that decide what is saved, and whether it may be. */
const isSame = (one: Suggestion, other: Suggestion): boolean =>
  one.configuredFalseAcceptRate === other.configuredFalseAcceptRate &&
  one.threshold?.value === other.threshold?.value &&
  one.falseAcceptRate?.value === other.falseAcceptRate?.value &&
  (one.objections ?? []).join('\n') === (other.objections ?? []).join('\n');

function Found({
  suggestion,
  target,
  activeScore,
  read,
  checkAgain,
  onSaved,
}: {
  suggestion: Suggestion;
  target: number;
  activeScore: number | undefined;
  read: Context;
  /** Throws, and shows the current state, if it has changed. */
  checkAgain: (shown: Suggestion) => Promise<void>;
  onSaved: () => void;
}): ReactNode {
  const { threshold, configuredFalseAcceptRate, objectionsSaid: objections = [] } = suggestion;
  const score = (value: number | string | undefined): string => num(valueOf(value), 2);
  // Rates of so few say nothing.
  if (objections.some(({ messageResourceId = '' }) => tooFew.has(messageResourceId)))
    return <Refused objections={objections} />;
  return (
    <>
      <Facts
        items={[
          [
            text.score,
            t.report.interval(score(threshold?.value), score(threshold?.lower), score(threshold?.upper)),
          ],
          [text.falseAccepts, rateWords(suggestion.falseAcceptRate)],
          [text.falseRejects, rateWords(suggestion.falseRejectRate)],
        ]}
      />
      <Warnings of={suggestion.warningsSaid} />
      <Laxer before={activeScore} after={valueOf(threshold?.value)} />
      {objections.length > 0 ? (
        <Refused objections={objections} />
      ) : configuredFalseAcceptRate === undefined || !read.configsetId ? (
        <Notice>{text.nowhere}</Notice>
      ) : (
        <Saving
          read={read}
          configured={valueOf(configuredFalseAcceptRate)}
          score={score(threshold?.value)}
          measured={valueOf(suggestion.falseAcceptRate?.value)}
          target={target}
          checkAgain={() => checkAgain(suggestion)}
          onSaved={onSaved}
        />
      )}
    </>
  );
}

const tooFew: ReadonlySet<string> = new Set(['ONE_SPEAKER_TOO_FEW', 'SPEAKERS_TOO_FEW']);

const Refused = ({ objections }: { objections: readonly LocalizedMessageJson[] }): ReactNode => (
  <Notice tone="bad" title={text.refused}>
    {objections.map((objection) => (
      <span key={objection.message}>{warningWords(objection)}</span>
    ))}
  </Notice>
);

/** A warning where a lower score than now would be enough. */
export function Laxer({
  before,
  after,
}: {
  before: number | undefined;
  after: number | undefined;
}): ReactNode {
  if (before === undefined || after === undefined) return null;
  const [old, next] = [num(before, 2), num(after, 2)];
  return after < before && old !== next ? <Notice tone="warn">{text.laxer(old, next)}</Notice> : null;
}

function Saving({
  read,
  configured,
  score,
  measured,
  target,
  checkAgain,
  onSaved,
}: {
  read: Context;
  /** The rate that puts the threshold exactly at the score. */
  configured: number;
  score: string;
  /** Measured on the voices, and wanted. */
  measured: number;
  target: number;
  checkAgain: () => Promise<void>;
  onSaved: () => void;
}): ReactNode {
  const configset = read.configsetId ?? '';
  const saving = useAction(async () => {
    await checkAgain();
    const { document } = await readConfigset(read);
    const authentication = {
      ...document['authentication'],
      falseAcceptRate: configured,
      riskLow: RISK_LOW_DEFAULT,
    };
    const next = { ...document, authentication };
    const bytes = new TextEncoder().encode(JSON.stringify(next, null, 2));
    await call('CreateConfigset', {
      context: read,
      configsetId: configset,
      type: 'CONFIGSET_TYPE_OPERATIONAL',
      details: {
        description: text.description(shareWords(target), score, shareWords(measured)),
      },
      performValidation: true,
      rawContent: btoa(String.fromCharCode(...bytes)),
    });
    toast(text.saved);
    onSaved();
  });
  return (
    <div className="stack" data-tight>
      <h3>{text.saving}</h3>
      <p>
        {fill(text.savingText, {
          configset: <strong>{configset}</strong>,
          score: <strong>{score}</strong>,
        })}
      </p>
      <p className="small soft">
        {fill(text.writtenAs, {
          parameter: <code>authentication.falseAcceptRate</code>,
          value: <code>{Number(configured.toPrecision(4))}</code>,
        })}
      </p>
      <div>
        <Button busy={saving.busy} onClick={() => void saving.run()}>
          {text.save(configset)}
        </Button>
      </div>
      {saving.error ? <ErrorNotice error={saving.error} title={text.notSaved} /> : null}
    </div>
  );
}
