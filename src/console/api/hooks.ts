// Reading and writing from components: useQuery loads when its key changes and keeps old data while it
// reloads; useAction runs one write at a time and keeps its error for the form.
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type Dispatch,
  type RefObject,
  type SetStateAction,
} from 'react';
import { isConnectionLost, watchConnection } from './connection.js';
import { asApiError, backAgain, isAbort, isChangedMeanwhile, type ApiError } from './errors.js';
import { noteStale, watchStale } from './stale.js';

export interface Query<T> {
  data: T | undefined;
  error: ApiError | undefined;
  /** True until the first answer for this key. */
  loading: boolean;
  /** True during any request, including reloads. */
  busy: boolean;
  reload: () => void;
  setData: (data: T) => void;
}

interface QueryState<T> {
  key: string | undefined;
  data?: T | undefined;
  error?: ApiError | undefined;
  busy: boolean;
}

/** An undefined `key` means: not yet. The loader may close over anything that the key names. */
export function useQuery<T>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<T>,
  options: { everyMs?: number } = {},
): Query<T> {
  const [state, setState] = useState<QueryState<T>>({ key, busy: key !== undefined });
  const [round, setRound] = useState(0);
  const failedOffline = useRef(false);
  const loader = useRef(load);
  useLayoutEffect(() => {
    loader.current = load;
  });
  const { everyMs } = options;
  useEffect(() => {
    if (key === undefined) return undefined;
    return keepLoaded({ key, everyMs, loader, failedOffline, setState });
  }, [key, round, everyMs]);
  const reload = useCallback(() => setRound((value) => value + 1), []);
  const setData = useCallback((data: T) => setState({ key, data, busy: false }), [key]);
  const current = state.key === key;
  return {
    data: current ? state.data : undefined,
    error: current ? state.error : undefined,
    loading: key !== undefined && (!current || (state.data === undefined && state.error === undefined)),
    busy: state.busy,
    reload,
    setData,
  };
}

/**
 * Loads now, then periodically, when the server is back, and when something changed. Returns a function that
 * ends this.
 */
function keepLoaded<T>({
  key,
  everyMs,
  loader,
  failedOffline,
  setState,
}: {
  key: string;
  everyMs: number | undefined;
  loader: RefObject<(signal: AbortSignal) => Promise<T>>;
  failedOffline: RefObject<boolean>;
  setState: Dispatch<SetStateAction<QueryState<T>>>;
}): () => void {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = (): void => {
    setState((old) => (old.key === key ? { ...old, busy: true } : { key, busy: true }));
    loader.current(controller.signal).then(
      (data) => {
        if (controller.signal.aborted) return;
        failedOffline.current = false;
        setState({ key, data, busy: false });
        schedule();
      },
      (thrown: unknown) => {
        if (controller.signal.aborted || isAbort(thrown)) return;
        const error = asApiError(thrown);
        failedOffline.current = error.code === 'OFFLINE';
        setState((old) => ({
          key,
          data: old.key === key ? old.data : undefined,
          error,
          busy: false,
        }));
        schedule();
      },
    );
  };
  const schedule = (): void => {
    if (everyMs === undefined) return;
    // A hidden tab does not poll; it catches up at the next tick after it is shown.
    timer = setTimeout(() => (document.hidden ? schedule() : run()), everyMs);
  };
  run();
  // Data that could not be loaded without a server is loaded as soon as it is back.
  const unwatch = watchConnection(() => {
    if (!isConnectionLost() && failedOffline.current) run();
  });
  const unwatchStale = watchStale(() => {
    clearTimeout(timer);
    run();
  });
  return () => {
    controller.abort();
    clearTimeout(timer);
    unwatch();
    unwatchStale();
  };
}

/** The data or, while a newer version of the same thing is being fetched, the previous data. */
export function useLast<T>(of: string, data: T | undefined): T | undefined {
  const [last, setLast] = useState<{ of: string; data: T }>();
  if (data !== undefined && (last?.of !== of || last.data !== data)) setLast({ of, data });
  return data ?? (last?.of === of ? last.data : undefined);
}

interface Action<A extends unknown[], T> {
  /** Resolves with the result, or undefined if it failed (the error is in `error`). */
  run: (...args: A) => Promise<T | undefined>;
  busy: boolean;
  error: ApiError | undefined;
  clear: () => void;
}

export function useAction<A extends unknown[], T>(work: (...args: A) => Promise<T>): Action<A, T> {
  const [state, setState] = useState<{ busy: boolean; error?: ApiError | undefined }>({ busy: false });
  const current = useRef(work);
  const running = useRef(false);
  useLayoutEffect(() => {
    current.current = work;
  });
  // Once the server is back, the offline error no longer holds; whether the attempt succeeded is unknown.
  useEffect(
    () =>
      watchConnection(() => {
        if (isConnectionLost()) return;
        setState((old) => (old.error?.code === 'OFFLINE' ? { ...old, error: backAgain() } : old));
      }),
    [],
  );
  const run = useCallback(async (...args: A): Promise<T | undefined> => {
    if (running.current) return undefined;
    running.current = true;
    setState({ busy: true });
    try {
      const result = await current.current(...args);
      setState({ busy: false });
      return result;
    } catch (thrown) {
      const error = isAbort(thrown) ? undefined : asApiError(thrown);
      if (error && isChangedMeanwhile(error)) noteStale();
      setState({ busy: false, ...(error && { error }) });
      return undefined;
    } finally {
      running.current = false;
    }
  }, []);
  const clear = useCallback(() => setState({ busy: false }), []);
  return { run, busy: state.busy, error: state.error, clear };
}
