// Files that were dropped or chosen, one after the other: each is read, the user is asked if it has several
// channels, and it is handed on; an unreadable one is named and the others go on. Files added meanwhile wait
// for their turn.
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { asApiError } from '../../api/errors.js';
import { takeFromFile, takeOfChannel, type Take } from '../../audio/take.js';

export interface ChannelQuestion {
  name: string;
  channels: number;
  /** From 1; undefined: all mixed. */
  answer: (channel: number | undefined) => void;
}

interface Files {
  give: (files: readonly File[]) => void;
  /** Files still to come, including the current one. */
  left: number;
  question: ChannelQuestion | undefined;
  problems: readonly string[];
  /** Reports that something was not accepted, until the next files come. */
  tell: (problem: string) => void;
}

export function useFiles(options: { onBegin: () => void; onTake: (take: Take) => Promise<unknown> }): Files {
  const [left, setLeft] = useState(0);
  const [question, setQuestion] = useState<ChannelQuestion | undefined>();
  const [problems, setProblems] = useState<readonly string[]>([]);
  const latest = useRef(options);
  /** New files given instead of an answer end the previous round. */
  const round = useRef(0);
  const queue = useRef<File[]>([]);
  const state = useRef<'idle' | 'working' | 'asking'>('idle');
  useLayoutEffect(() => {
    latest.current = options;
  });
  const askChannel = useCallback(
    (take: Take) =>
      new Promise<number | undefined>((resolve) => {
        state.current = 'asking';
        setQuestion({
          name: take.name,
          channels: take.channels,
          answer: (channel) => {
            state.current = 'working';
            setQuestion(undefined);
            resolve(channel);
          },
        });
      }),
    [],
  );
  const give = useCallback(
    async (files: readonly File[]): Promise<void> => {
      if (files.length === 0) return;
      if (state.current === 'working') {
        queue.current.push(...files);
        setLeft((before) => before + files.length);
        return;
      }
      round.current += 1;
      const own = round.current;
      state.current = 'working';
      queue.current = [...files];
      latest.current.onBegin();
      setQuestion(undefined);
      setProblems([]);
      /** One answer applies to all files of a round with the same number of channels. */
      const answers = new Map<number, number | undefined>();
      for (let file = queue.current.shift(); file; file = queue.current.shift()) {
        setLeft(queue.current.length + 1);
        try {
          let take = await takeFromFile(file);
          if (take.channels > 1) {
            if (!answers.has(take.channels)) answers.set(take.channels, await askChannel(take));
            const channel = answers.get(take.channels);
            if (channel !== undefined) take = await takeOfChannel(file, channel);
          }
          if (round.current !== own) return;
          await latest.current.onTake(take);
        } catch (thrown) {
          setProblems((old) => [...old, asApiError(thrown).message]);
        }
        if (round.current !== own) return;
      }
      state.current = 'idle';
      setLeft(0);
    },
    [askChannel],
  );
  const tell = (problem: string): void => setProblems((old) => [...old, problem]);
  return { give: (files) => void give(files), left, question, problems, tell };
}
