// The call as a handler sees it. The signal and the log child are made only for those handlers that use them.
import type { Call, Caller, Log } from '../../platform.js';
import type { CallAbort } from './call-abort.js';
import type { Incoming } from './exchange.js';

export class ServedCall implements Call {
  readonly caller: Caller;
  readonly #parentLog: Log;
  readonly #rpc: string;
  readonly requestId: string;
  readonly #abort: CallAbort;
  readonly deadlineAtMs?: number;
  #childLog: Log | undefined;

  constructor(incoming: Incoming, caller: Caller, parentLog: Log, rpc: string) {
    this.caller = caller;
    this.#parentLog = parentLog;
    this.#rpc = rpc;
    this.requestId = incoming.requestId;
    this.#abort = incoming.abort;
    if (incoming.deadlineAtMs !== undefined) this.deadlineAtMs = incoming.deadlineAtMs;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get log(): Log {
    return (this.#childLog ??= this.#parentLog.child({ requestId: this.requestId, rpc: this.#rpc }));
  }
}
