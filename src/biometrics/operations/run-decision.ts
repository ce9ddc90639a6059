// The one way of every operation on audio: check the request, open its context, find what it is about, listen,
// judge, and store the audio, the factors and the audit records together. An operation is an entry with only those
// parts that are its own, so that none can leave out a phase.
import type { FieldFault } from '../../errors.js';
import type { Call } from '../../platform.js';
import { activeCalibration } from '../calibration/active.js';
import { openFullContext, type RequestContext } from '../call/context.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { audioFaults, prepareAudio, type AudioInput } from './audio-input.js';
import type { OperationDeps } from './deps.js';
import type { DecisionRun } from './decision-run.js';
import type { OpenedCall } from './opened-call.js';
import type { ProcessPurpose } from './process-media.js';
import { storeDecision, type Conclusion } from './record.js';

export interface DecisionOperation<Found, Judged, Result> {
  name: string;
  request: { context: RequestContext; audio: AudioInput };
  /** Faults of the members that only this operation has. */
  faults: readonly (FieldFault | undefined)[];
  /** What the call is about: prints, a person. Before any audio is heard, so that a wrong ID costs nothing. */
  find(opened: OpenedCall): Promise<Found>;
  purpose(opened: OpenedCall, found: Found): ProcessPurpose;
  judge(run: DecisionRun, found: Found): Promise<Judged>;
  /** Inside the transaction that stores everything; may run more than once. */
  conclude(
    tx: BiometricsTransaction,
    run: DecisionRun,
    judged: Judged,
    found: Found,
  ): Promise<Conclusion<Result>>;
}

export async function runDecision<Found, Judged, Result>(
  deps: OperationDeps,
  call: Call,
  operation: DecisionOperation<Found, Judged, Result>,
): Promise<Result> {
  const { request } = operation;
  const context = await openFullContext(deps, call, request.context, [
    ...audioFaults(request.audio),
    ...operation.faults,
  ]);
  const calibration = await activeCalibration(deps.store, context.gkScopeId, deps.engine.model);
  const opened: OpenedCall = { deps, call, context, calibration };
  const found = await operation.find(opened);
  const prepared = await prepareAudio(opened, request.audio, operation.purpose(opened, found));
  const run: DecisionRun = { ...opened, prepared };
  const judged = await operation.judge(run, found);
  return deps.store.transaction((tx) =>
    storeDecision(tx, run, operation.name, () => operation.conclude(tx, run, judged, found)),
  );
}
