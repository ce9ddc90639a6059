// Recording from a component: one take at a time, stopped by hand or when enough speech was heard.
import { useCallback, useEffect, useRef, useState } from 'react';
import { asApiError, type ApiError } from '../api/errors.js';
import { record, type Recording } from './recorder.js';
import type { MeterReading } from './speech-meter.js';
import type { Take } from './take.js';

const LONGEST_SECONDS = 60;

export interface Recorder {
  phase: 'idle' | 'opening' | 'recording' | 'closing';
  reading: MeterReading | undefined;
  error: ApiError | undefined;
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

export function useRecorder(options: { targetSeconds: number; onTake: (take: Take) => void }): Recorder {
  const [phase, setPhase] = useState<Recorder['phase']>('idle');
  const [reading, setReading] = useState<MeterReading | undefined>();
  const [error, setError] = useState<ApiError | undefined>();
  const recording = useRef<Recording | undefined>(undefined);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(
    () => () => {
      recording.current?.cancel();
      recording.current = undefined;
    },
    [],
  );
  const stop = useCallback(async (): Promise<void> => {
    const running = recording.current;
    if (!running) return;
    recording.current = undefined;
    setPhase('closing');
    try {
      const take = await running.stop();
      setPhase('idle');
      latest.current.onTake(take);
    } catch (thrown) {
      setPhase('idle');
      setError(asApiError(thrown));
    }
  }, []);
  const start = useCallback(async (): Promise<void> => {
    setError(undefined);
    setReading(undefined);
    setPhase('opening');
    try {
      recording.current = await record((next) => {
        setReading(next);
        if (next.speechSeconds >= latest.current.targetSeconds || next.totalSeconds >= LONGEST_SECONDS)
          void stop();
      });
      setPhase('recording');
    } catch (thrown) {
      setPhase('idle');
      setError(asApiError(thrown));
    }
  }, [stop]);
  return { phase, reading, error, start, stop };
}
