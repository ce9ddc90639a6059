// What the commands for people share: they are clients like any other and do what the token of their client allows.
import type { Command } from 'commander';
import { Voxgate } from '../../client/index.js';
import { print, runCommand, type CliIo } from '../io.js';
import { profileFlags, readProfile, type ProfileFlags } from './profile.js';

/** What a command prints: an object for programs, lines for people; and the exit code, where it is an answer of its own. */
export interface Result {
  value: object;
  lines: readonly string[];
  code?: number;
}

export type RemoteFlags = ProfileFlags &
  Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

type Work = (voxgate: Voxgate, args: readonly string[], flags: RemoteFlags) => Promise<Result>;

/** For what is no call: the session counts as administration, not as a call. */
export const administrationSession = { type: 'ADMINISTRATION' } as const;

/** Adds one command below `parent`; `usage` holds its name and arguments as commander writes them. */
export function addRemoteCommand(
  parent: Command,
  io: CliIo,
  usage: string,
  description: string,
  work: Work,
): Command {
  return profileFlags(parent.command(usage).description(description)).action((...given: unknown[]) => {
    // Commander gives the arguments, then the flags, then the command itself; of several files it makes a list.
    const flags = given.at(-2) as RemoteFlags;
    const args = given.slice(0, -2).flat() as string[];
    return runCommand(io, flags, async () => {
      const voxgate = new Voxgate(readProfile(io, flags));
      const { value, lines, code } = await work(voxgate, args, flags);
      print(io, flags, value, lines);
      if (code !== undefined) io.exit(code);
    });
  });
}

/** Everything in a list, for people: up to `most`, and whether there is more. */
export async function take<T>(
  items: AsyncIterable<T>,
  most: number,
): Promise<{ rows: T[]; isComplete: boolean }> {
  const rows: T[] = [];
  for await (const item of items) {
    if (rows.length === most) return { rows, isComplete: false };
    rows.push(item);
  }
  return { rows, isComplete: true };
}
