// What the erasure of a person deletes and keeps: counted before it is requested, and reported when it is
// over.
import type { ReactNode } from 'react';
import type { GetErasureResponseJson } from '../../../gen/voxgate/biosec/v1/directory_pb.js';
import { call } from '../../api/client.js';
import { useQuery, type Query } from '../../api/hooks.js';
import { fill } from '../../kit/fill.js';
import { ErrorNotice, Loading } from '../../kit/notice.js';
import { ifFound, useReadContext, type Context } from '../../tenant/context.js';
import { t } from '../../text/people.js';
import { SessionLinks } from '../biosec/session-link.js';

/** It usually takes less than a second; after this long the user is told where to look. */
const WAIT_MS = 15_000;
const ASK_AGAIN_MS = 400;

export function useErasure(gkId: string | undefined): Query<GetErasureResponseJson> {
  const read = useReadContext();
  return useQuery(read && gkId && `erasure ${gkId}`, (signal) =>
    call('GetErasure', { context: read, gkPersonId: { value: gkId ?? '' } }, signal),
  );
}

/** In the dialog: what is deleted, and what stays and why. */
export function ErasureText({ gkId }: { gkId: string }): ReactNode {
  const { data, error } = useErasure(gkId);
  return (
    <>
      <p>{t.erase.text}</p>
      {data ? (
        <ul>
          <li>{t.erase.goes(data.recordingCount ?? 0, keptCount(data))}</li>
          {keptLines(data).map((line) => (
            <li key={line}>{line}</li>
          ))}
          <KeptTexts erasure={data} as="li" />
        </ul>
      ) : error?.httpStatus === 404 ? null : error ? (
        <ErrorNotice error={error} />
      ) : (
        <Loading what={t.erase.counting} />
      )}
    </>
  );
}

/** Free text may name the person, and no program can tell: links show where to look. */
export function KeptTexts({
  erasure: { keptTextCount = 0, keptTextSessionIds = [] },
  as: Element,
}: {
  erasure: KeptText;
  as: 'li' | 'p';
}): ReactNode {
  if (keptTextCount === 0) return null;
  const sessions = <SessionLinks of={keptTextSessionIds} />;
  return <Element>{fill(t.erase.texts(keptTextCount), { sessions })}</Element>;
}

export type KeptText = Pick<GetErasureResponseJson, 'keptTextCount' | 'keptTextSessionIds'>;

const keptCount = (erasure: GetErasureResponseJson): number =>
  (erasure.keptAsFraudCount ?? 0) +
  (erasure.keptOnLegalHoldCount ?? 0) +
  (erasure.keptWithFraudsterCount ?? 0) +
  (erasure.keptForOthersCount ?? 0);

/** One sentence per reason, and until when. */
export function keptLines({
  keptAsFraudCount = 0,
  keptOnLegalHoldCount = 0,
  keptWithFraudsterCount = 0,
  keptForOthersCount = 0,
  keptSessionCount = 0,
}: GetErasureResponseJson): string[] {
  const { kept } = t.erase;
  return [
    keptAsFraudCount > 0 && kept.asFraud(keptAsFraudCount),
    keptSessionCount > 0 && kept.sessions(keptSessionCount),
    keptOnLegalHoldCount > 0 && kept.onHold(keptOnLegalHoldCount),
    keptWithFraudsterCount > 0 && kept.withFraudster(keptWithFraudsterCount),
    keptForOthersCount > 0 && kept.forOthers(keptForOthersCount),
  ].filter((line) => line !== false);
}

/** After the erasure nothing links the person to other people's data, so this is read before. */
export async function keptBefore(
  context: Context | undefined,
  gkId: string,
): Promise<KeptText & { keptForOthersCount: number }> {
  const before = await ifFound(call('GetErasure', { context, gkPersonId: { value: gkId } }));
  return { ...before, keptForOthersCount: before?.keptForOthersCount ?? 0 };
}

/** After the request: waits for its end and returns what was kept; undefined if it takes longer. */
export async function keptAfter(
  context: Context | undefined,
  gkId: string,
  { keptForOthersCount }: { keptForOthersCount: number },
): Promise<string[] | undefined> {
  const untilMs = Date.now() + WAIT_MS;
  while (Date.now() < untilMs) {
    const erasure = await call('GetErasure', { context, gkPersonId: { value: gkId } });
    if (erasure.erasedTime && !erasure.isRunning) return keptLines({ ...erasure, keptForOthersCount });
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
  return undefined;
}
