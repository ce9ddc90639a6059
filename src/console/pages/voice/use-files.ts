// Files that were dropped or chosen, one after the other: each is read, asked about where it has several channels, and
// handed on; one that cannot be read is named and the others go on.
import { useCallback, useEffect, useRef, useState } from 'react';
import { asApiError } from '../../api/errors.js';
import { takeFromFile, takeOfChannel, type Take } from '../../audio/take.js';

export interface ChannelQuestion {
  name: string;
  channels: number;
  /** From 1; undefined: all mixed. */
  answer: (channel: number | undefined) => void;
}

export interface Files {
  give: (files: readonly File[]) => void;
  /** Files still to come, the present one included. */
  left: number;
  question: ChannelQuestion | undefined;
  problems: readonly string[];
}

export function useFiles(options: { onBegin: () => void; onTake: (take: Take) => Promise<unknown> }): Files {
  const [left, setLeft] = useState(0);
  const [question, setQuestion] = useState<ChannelQuestion | undefined>();
  const [problems, setProblems] = useState<readonly string[]>([]);
  const latest = useRef(options);
  /** Files given later end the round before. */
  const round = useRef(0);
  useEffect(() => {
    latest.current = options;
  });
  const askChannel = useCallback(
    (take: Take) =>
      new Promise<number | undefined>((resolve) =>
        setQuestion({
          name: take.name,
          channels: take.channels,
          answer: (channel) => {
            setQuestion(undefined);
            resolve(channel);
          },
        }),
      ),
    [],
  );
  const give = useCallback(
    async (files: readonly File[]): Promise<void> => {
      if (files.length === 0) return;
      round.current += 1;
      const own = round.current;
      latest.current.onBegin();
      setQuestion(undefined);
      setProblems([]);
      /** One answer holds for all files of a drop that have as many channels. */
      const answers = new Map<number, number | undefined>();
      for (const [index, file] of files.entries()) {
        setLeft(files.length - index);
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
      setLeft(0);
    },
    [askChannel],
  );
  return { give: (files) => void give(files), left, question, problems };
}
