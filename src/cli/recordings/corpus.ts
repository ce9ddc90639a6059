// Folders of recordings for the measuring commands: speaker/utterance.{wav,flac,...}, and lists of trials.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { readInput } from '../input-file.js';

const audio = new Set(['.wav', '.flac', '.opus', '.ogg', '.oga', '.mp3', '.webm', '.weba']);

export interface Utterance {
  /** Path below the corpus folder, with forward slashes. */
  name: string;
  file: string;
  /** Everything above the file name. */
  speaker: string;
}

/** Every recording below a folder, in a fixed order. */
export function findRecordings(folder: string): Utterance[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
  const found: Utterance[] = [];
  const walk = (at: string): void => {
    for (const entry of readdirSync(at, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(at, entry.name);
      const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && statSync(path).isDirectory());
      if (isFolder) walk(path);
      else if (audio.has(extname(entry.name).toLowerCase())) {
        const name = relative(folder, path).split(sep).join('/');
        found.push({ name, file: path, speaker: name.split('/').slice(0, -1).join('/') });
      }
    }
  };
  walk(folder);
  return found;
}

export interface TrialPair {
  first: Utterance;
  second: Utterance;
  target: boolean;
}

const labels: Readonly<Record<string, boolean>> = {
  target: true, '1': true, tgt: true, same: true, true: true, genuine: true,
  nontarget: false, 'non-target': false, '0': false, imp: false, impostor: false, imposter: false, different: false, false: false,
}; // prettier-ignore

/** Names in trial lists come with or without folder and extension; all unambiguous ways are understood. */
function nameTable(recordings: readonly Utterance[]): Map<string, Utterance | 'ambiguous'> {
  const table = new Map<string, Utterance | 'ambiguous'>();
  const offer = (name: string, recording: Utterance): void => {
    const known = table.get(name);
    table.set(name, known && known !== recording ? 'ambiguous' : recording);
  };
  for (const recording of recordings) {
    const bare = recording.name.slice(0, recording.name.length - extname(recording.name).length);
    for (const name of [recording.name, bare, recording.name.split('/').at(-1), bare.split('/').at(-1)])
      if (name) offer(name, recording);
  }
  for (const recording of recordings) table.set(recording.name, recording);
  return table;
}

/** Lines `utt1 utt2 target|nontarget` or `1|0 utt1 utt2`; empty lines and # comments are skipped. */
export function readTrials(
  file: string,
  recordings: readonly Utterance[],
): { pairs: TrialPair[]; unknown: string[] } {
  const table = nameTable(recordings);
  const find = (name: string): Utterance | undefined => {
    for (const candidate of [name, name.replace(/^\.?\/+/, '')]) {
      const found =
        table.get(candidate) ?? table.get(candidate.slice(0, candidate.length - extname(candidate).length));
      if (found && found !== 'ambiguous') return found;
    }
    return undefined;
  };
  const pairs: TrialPair[] = [];
  const unknown: string[] = [];
  readInput(file)
    .toString('utf8')
    .split(/\r?\n/)
    .forEach((line, index) => {
      const text = line.trim();
      if (text === '' || text.startsWith('#')) return;
      const [a = '', b = '', c = ''] = text.split(/[\s,;]+/);
      const last = labels[c.toLowerCase()];
      const label = last ?? labels[a.toLowerCase()];
      if (label === undefined)
        throw new Error(`${file}:${index + 1}: neither "utt1 utt2 target|nontarget" nor "1|0 utt1 utt2"`);
      const names = last === undefined ? [b, c] : [a, b];
      const [first, second] = [find(names[0] ?? ''), find(names[1] ?? '')];
      if (first && second) pairs.push({ first, second, target: label });
      else unknown.push(`${file}:${index + 1}: no recording ${first ? names[1] : names[0]}`);
    });
  return { pairs, unknown };
}

/** All pairs of different recordings; the same speaker's are targets. */
export function allPairs(recordings: readonly Utterance[]): TrialPair[] {
  const pairs: TrialPair[] = [];
  recordings.forEach((first, i) => {
    for (const second of recordings.slice(i + 1))
      pairs.push({ first, second, target: first.speaker === second.speaker });
  });
  return pairs;
}
