// Recording in a component: one take at a time, stopped by hand or when enough speech was heard. A microphone
// that hears nothing is reported soon, and stopped after a while.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ApiError, asApiError } from '../api/errors.js';
import { t } from '../text/voice.js';
import { record, type Recording } from './recorder.js';
import type { MeterReading } from './speech-meter.js';
import type { Take } from './take.js';

const LONGEST_SECONDS = 60;
const SILENCE_HINT_SECONDS = 4;
const SILENCE_MAX_SECONDS = 15;
/** Anything shorter is a click or a breath. */
const SPEECH_MIN_SECONDS = 0.3;

export interface Recorder {
  phase: 'idle' | 'opening' | 'recording' | 'closing';
  reading: MeterReading | undefined;
  /** Nothing was heard for a while. */
  isSilent: boolean;
  error: ApiError | undefined;
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

const hasSpeech = (reading: MeterReading): boolean => reading.speechSeconds >= SPEECH_MIN_SECONDS;

export function useRecorder(options: { targetSeconds: number; onTake: (take: Take) => unknown }): Recorder {
  const [phase, setPhase] = useState<Recorder['phase']>('idle');
  const [reading, setReading] = useState<MeterReading | undefined>();
  const [error, setError] = useState<ApiError | undefined>();
  const recording = useRef<Recording | undefined>(undefined);
  const latest = useRef(options);
  useLayoutEffect(() => {
    latest.current = options;
  });
  const isThere = useRef(true);
  const cancel = useCallback((): void => {
    recording.current?.cancel();
    recording.current = undefined;
  }, []);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
      cancel();
    };
  }, [cancel]);
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
  const onReading = useCallback(
    (next: MeterReading): void => {
      setReading(next);
      if (next.speechSeconds >= latest.current.targetSeconds || next.totalSeconds >= LONGEST_SECONDS) {
        void stop();
      } else if (!hasSpeech(next) && next.totalSeconds >= SILENCE_MAX_SECONDS) {
        cancel();
        setPhase('idle');
        setError(new ApiError(t.capture.silence(SILENCE_MAX_SECONDS), { code: 'SILENCE' }));
      }
    },
    [stop, cancel],
  );
  const start = useCallback(async (): Promise<void> => {
    setError(undefined);
    setReading(undefined);
    setPhase('opening');
    try {
      recording.current = await record(onReading);
      // The page may have been left while the browser asked for the microphone.
      if (!isThere.current) return cancel();
      setPhase('recording');
    } catch (thrown) {
      setPhase('idle');
      setError(asApiError(thrown));
    }
  }, [onReading, cancel]);
  const isSilent =
    phase === 'recording' &&
    reading !== undefined &&
    reading.totalSeconds >= SILENCE_HINT_SECONDS &&
    !hasSpeech(reading);
  return { phase, reading, isSilent, error, start, stop };
}
