// What one check of `voxgate doctor` says.

export interface Finding {
  name: string;
  status: 'ok' | 'warning' | 'fault';
  found: string;
  /** What to do about it. */
  advice?: string;
}

/** Answers findings without their name; the doctor adds it. */
export type Verdict = Omit<Finding, 'name'>;

export const ok = (found: string): Verdict => ({ status: 'ok', found });
export const warning = (found: string, advice: string): Verdict => ({ status: 'warning', found, advice });
export const fault = (found: string, advice: string): Verdict => ({ status: 'fault', found, advice });

export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error
    ? thrown.cause instanceof Error
      ? `${thrown.message} (${thrown.cause.message})`
      : thrown.message
    : String(thrown);
