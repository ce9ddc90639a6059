// Recordings that are checked one after the other, each with its result or what went wrong: nothing of one recording
// can be taken for another's.
import { useCallback, useEffect, useState } from 'react';
import { isConnectionLost, watchConnection } from '../../api/connection.js';
import { asApiError, backAgain, isUnanswered, type ApiError } from '../../api/errors.js';
import type { Take } from '../../audio/take.js';
import { useTrialSession, type Context } from '../../tenant/context.js';
import { t } from '../../text/voice.js';
import { upload, type Sent } from './lab-api.js';

export interface Checked<R> {
  take: Take;
  media?: string | undefined;
  result?: R;
  error?: ApiError;
}

export interface Checks<R> {
  /** Of the present round, newest last. */
  all: readonly Checked<R>[];
  /** The one on show. */
  shown: Checked<R> | undefined;
  show: (index: number) => void;
  busy: boolean;
  /** Forgets the round before. */
  begin: () => void;
  run: (take: Take) => Promise<void>;
  /** Recordings that the server was away for. */
  unsent: number;
  sendAgain: () => Promise<void>;
}

const isUnsent = ({ error }: Checked<unknown>): boolean => error !== undefined && isUnanswered(error);

/** `claimed`: the person whom the voice is said to be of. */
export function useChecks<R>(
  check: (context: Context, sent: Sent) => Promise<R>,
  claimed?: string,
): Checks<R> {
  const inSession = useTrialSession(claimed);
  const [all, setAll] = useState<readonly Checked<R>[]>([]);
  /** Undefined: the newest. */
  const [shown, setShown] = useState<number | undefined>();
  const [busy, setBusy] = useState(false);
  const begin = useCallback((): void => {
    setAll([]);
    setShown(undefined);
  }, []);
  const run = async (take: Take): Promise<void> => {
    /** One that is sent again keeps its place. */
    const place = (entry: Checked<R>): void => {
      setAll((old) =>
        old.some((other) => other.take === take)
          ? old.map((other) => (other.take === take ? entry : other))
          : [...old, entry],
      );
    };
    setBusy(true);
    setShown(undefined);
    place({ take });
    try {
      await inSession(async (context) => {
        const sent = await upload(context, take);
        const media = sent.media.value;
        place({ take, media });
        place({ take, media, result: await check(context, sent) });
      });
    } catch (thrown) {
      place({ take, error: asApiError(thrown) });
    } finally {
      setBusy(false);
    }
  };
  // That the server is away is no longer so when it is back.
  useEffect(
    () =>
      watchConnection(() => {
        if (isConnectionLost()) return;
        setAll((old) =>
          old.map((each) => (isUnsent(each) ? { ...each, error: backAgain(t.backAgain) } : each)),
        );
      }),
    [],
  );
  const unsent = all.filter(isUnsent);
  const sendAgain = async (): Promise<void> => {
    for (const { take } of unsent) await run(take);
  };
  return {
    all,
    shown: all[shown ?? all.length - 1],
    show: setShown,
    busy,
    begin,
    run,
    unsent: unsent.length,
    sendAgain,
  };
}
