// A call to the voiceprint service that has passed its checks: the input of every later phase.
import type { Call } from '../../platform.js';
import { activeCalibration, type ActiveCalibration } from '../calibration/active.js';
import type { FullContext } from '../call/context.js';
import type { OperationDeps } from './deps.js';

export interface OpenedCall {
  deps: OperationDeps;
  call: Call;
  context: FullContext;
  /** The calibration of this call's scores. */
  calibration: ActiveCalibration;
}

export async function openCall(deps: OperationDeps, call: Call, context: FullContext): Promise<OpenedCall> {
  const calibration = await activeCalibration(deps.store, context.gkScopeId, deps.engine.model);
  return { deps, call, context, calibration };
}
