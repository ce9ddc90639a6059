// Whether the caller is still there. Most handlers never look, so the AbortController behind `Call.signal` is
// made on demand: making and aborting one for every call would cost more than routing it.

export class CallAbort {
  private controller: AbortController | undefined;
  private gone = false;

  get aborted(): boolean {
    return this.gone;
  }

  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.gone) this.controller.abort();
    }
    return this.controller.signal;
  }

  abort(): void {
    if (this.gone) return;
    this.gone = true;
    this.controller?.abort();
  }
}
