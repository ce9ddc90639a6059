// The path of every operation on audio: check the request, open its context, find what it is about, listen, judge, and store
// the audio, the factors and the audit records together. An operation is an entry with only its own parts, so that none can
// leave out a phase.
import type { FieldFault } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { RequestContext } from '../call/context.js';
import {
  askedIn,
  isWorthRetrying,
  type NamedInCall,
  noteRefused,
  rememberSpeaker,
  linkSpeaker,
} from '../call/data-subjects.js';
import type { BiometricsTransaction } from '../ports/store.js';
import {
  audioFaults,
  type AudioInput,
  type DecisionRun,
  prepareAudio,
  type ProcessPurpose,
} from './audio-input.js';
import type { OperationDeps } from './deps.js';
import { openCall, type OpenedCall, openSpeakerContext } from './opened-call.js';
import { type Conclusion, type PromptWanted, recordIfRefused, storeDecision } from './record.js';
import type { AuditAct } from '../../words/audit/english.js';

interface DecisionRequest {
  context: RequestContext;
  audio: AudioInput;
}

/** What is known when everything has been heard and judged. */
interface Decided<Request, Found, Judged> {
  request: Request;
  found: Found;
  judged: Judged;
}

interface DecisionOperation<Request extends DecisionRequest, Found, Judged, Result> {
  name: AuditAct;
  request: Request;
  /** Faults of the members that only this operation has. */
  faults: readonly (FieldFault | undefined)[];
  /** What the call is about: prints, a person. Before any audio is heard, so that a wrong ID costs nothing. */
  find(opened: OpenedCall, request: NoInfer<Request>): Promise<Found>;
  /** The prints and the person that the request names, because the recording must not be kept if they have been erased. */
  named?: Pick<NamedInCall, 'prints' | 'gkPersonId'>;
  purpose(opened: OpenedCall, found: Found, request: NoInfer<Request>): ProcessPurpose;
  judge(run: DecisionRun, found: Found, request: NoInfer<Request>): Promise<Judged>;
  /** The person whose voice the recording is said to contain, whatever the result, even if the call is interrupted; absent if nobody is named. */
  speaker?(found: Found): string | undefined;
  /** Inside the transaction that stores everything; may run more than once. */
  conclude(
    tx: BiometricsTransaction,
    run: DecisionRun,
    decided: Decided<NoInfer<Request>, Found, Judged>,
  ): Promise<Conclusion<Result>>;
}

export async function runDecision<Request extends DecisionRequest, Found, Judged, Result>(
  deps: OperationDeps,
  call: Call,
  operation: DecisionOperation<Request, Found, Judged, Result>,
): Promise<Result & PromptWanted> {
  const { request } = operation;
  const named = { ...operation.named, of: request.audio };
  const context = await openSpeakerContext(deps, call, {
    context: request.context,
    faults: [...audioFaults(request.audio), ...operation.faults],
    named,
  });
  const opened = await openCall(deps, call, context);
  try {
    return await decide(opened, operation);
  } catch (error) {
    // If that cannot be stored now, the call fails: no attempt goes unrecorded.
    await recordIfRefused(opened, error, { operation: operation.name, ...named });
    throw error;
  }
}

async function decide<Request extends DecisionRequest, Found, Judged, Result>(
  opened: OpenedCall,
  operation: DecisionOperation<Request, Found, Judged, Result>,
): Promise<Result & PromptWanted> {
  const { deps, context } = opened;
  const { request } = operation;
  const { gkScopeId } = context;
  const session = askedIn(context);
  const named = { gkScopeId, ...operation.named, of: request.audio, askedIn: session };
  let found: Found;
  try {
    found = await operation.find(opened, request);
  } catch (error) {
    await noteRefused(deps, named, error);
    throw error;
  }
  const gkPersonId = operation.speaker?.(found);
  const person = gkPersonId === undefined ? undefined : { gkScopeId, gkPersonId };
  // While the recording is being processed, so that a server that is killed then leaves no recording without a known owner.
  const linked = person && settled(linkSpeaker(deps, person, request.audio));
  try {
    const prepared = await prepareAudio(opened, request.audio, operation.purpose(opened, found, request));
    const run: DecisionRun = { ...opened, prepared };
    const judged = await operation.judge(run, found, request);
    await linked?.();
    return await deps.store.transaction(
      storeDecision(run, operation, { decided: { request, found, judged }, speaker: gkPersonId }),
    );
  } catch (error) {
    if (person && !isWorthRetrying(error)) await rememberSpeaker(deps, person, request.audio, session);
    throw error;
  }
}

/** Something that is awaited later, or never: until then, its failure must not count as unhandled. */
function settled(work: Promise<void>): () => Promise<void> {
  work.catch(() => undefined);
  return () => work;
}
