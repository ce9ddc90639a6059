// Recordings that are checked one after the other, each with its result or error, so that results cannot be
// mixed up.
import { useCallback, useEffect, useState } from 'react';
import type { SessionAssessmentJson } from '../../../gen/voxgate/biosec/v1/assessment_pb.js';
import { isConnectionLost, watchConnection } from '../../api/connection.js';
import { asApiError, backAgain, isUnanswered, type ApiError } from '../../api/errors.js';
import type { Take } from '../../audio/take.js';
import { useTrialSession, type Context } from '../../tenant/context.js';
import { t } from '../../text/voice.js';
import { assessmentIn, upload, type Sent } from './lab-api.js';

export interface Checked<R> {
  take: Take;
  media?: string | undefined;
  result?: R;
  /** What the session of the check means. */
  assessment?: SessionAssessmentJson;
  gkSessionId?: string | undefined;
  error?: ApiError;
}

export interface Checks<R> {
  /** Those of the current round, newest last. */
  all: readonly Checked<R>[];
  /** The selected one. */
  shown: Checked<R> | undefined;
  show: (index: number) => void;
  busy: boolean;
  /** Discards the previous round. */
  begin: () => void;
  run: (take: Take) => Promise<void>;
  /** Recordings that could not be sent because the server was away. */
  unsent: number;
  sendAgain: () => Promise<void>;
}

const isUnsent = ({ error }: Checked<unknown>): boolean => error !== undefined && isUnanswered(error);

/** `claimed`: the person whose voice it is said to be. */
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
    /** A recording that is sent again keeps its place. */
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
        const result = await check(context, sent);
        const assessment = await assessmentIn(context);
        place({ take, media, result, assessment, gkSessionId: context.gkSessionId?.value });
      });
    } catch (thrown) {
      place({ take, error: asApiError(thrown) });
    } finally {
      setBusy(false);
    }
  };
  // Once the server is back, the offline error no longer holds.
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
