// Helpers and shell commands for the pages about applications.
import type {
  ApplicationJson,
  ClientJson,
  EnvironmentJson,
  NewClientJson,
} from '../../../gen/voxgate/management/v1/applications_pb.js';
import type { ShownSecret } from './secrets-dialog.js';

const runtimeScopes = ['asr', 'asr.wordset', 'nlu', 'nlu.wordset', 'dlg', 'tts', 'log', 'biosec'];

/** What may be chosen for a client; only administrators give out scopes that no client of one's own has yet. */
export function scopeOptions(allowed: readonly string[]): { value: string; label: string }[] {
  return runtimeScopes.filter((scope) => allowed.includes(scope)).map((value) => ({ value, label: value }));
}

/** The name, which every application, environment and client from the server has. */
export const nameOf = ({ name }: ApplicationJson | EnvironmentJson | ClientJson): string => name ?? '';

/** Secrets of new clients, as the dialog shows them. */
export function secretsOf(clients: readonly NewClientJson[]): ShownSecret[] {
  return clients.map(({ client = {}, clientSecret = '' }) => ({
    clientId: client.clientId ?? '',
    secret: clientSecret,
    scopes: client.allowedScopes ?? [],
  }));
}

/** Scopes by what a program does with them. */
export const purposes = {
  voice: ['biosec'],
  recognition: ['asr', 'asr.wordset'],
  understanding: ['nlu', 'nlu.wordset'],
  dialog: ['dlg'],
  speech: ['tts'],
  log: ['log'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Splits "us, eu" into a list. */
export function splitList(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '');
}
