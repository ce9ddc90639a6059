// The values of the config set in use: its own over the defaults that the server publishes.
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import type { Context } from '../../tenant/context.js';

type Parameters = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The part of a JSON schema that concerns defaults. */
interface Schema {
  properties?: Record<string, { properties?: Record<string, { default?: unknown }> }>;
}

export interface ActiveConfigset {
  revisionId: string | undefined;
  /** As written: omitted parameters have their default. */
  document: Record<string, Record<string, unknown>>;
  parameters: Parameters;
}

async function readSchema(signal: AbortSignal | undefined): Promise<Schema> {
  try {
    return (await (await fetch('/schema/configset-1.json', signal ? { signal } : {})).json()) as Schema;
  } catch {
    return {};
  }
}

export async function readConfigset(context: Context, signal?: AbortSignal): Promise<ActiveConfigset> {
  const { configsetId } = context;
  const [answer, schema] = await Promise.all([
    call('GetConfigset', { context, configsetId, expectedFormat: 'CONFIGSET_FORMAT_ALL_BYTES' }, signal),
    readSchema(signal),
  ]);
  const text = new TextDecoder().decode(
    Uint8Array.from(atob(answer.rawContent ?? ''), (char) => char.charCodeAt(0)),
  );
  const document = (text === '' ? {} : JSON.parse(text)) as ActiveConfigset['document'];
  const parameters: Record<string, Record<string, unknown>> = {};
  for (const [section, { properties = {} }] of Object.entries(schema.properties ?? {})) {
    parameters[section] = Object.fromEntries(
      Object.entries(properties).map(([name, rule]) => [name, rule.default]),
    );
  }
  for (const [section, values] of Object.entries(document)) {
    if (typeof values === 'object') parameters[section] = { ...parameters[section], ...values };
  }
  return { revisionId: answer.details?.gkConfigsetRevisionId?.value, document, parameters };
}

/** Undefined until it is read; meanwhile pages use typical values. */
export function useConfigset(context: Context | undefined): ActiveConfigset | undefined {
  const key =
    context?.configsetId === undefined
      ? undefined
      : `configset ${context.gkScopeId.value} ${context.configsetId}`;
  return useQuery(key, (signal) => readConfigset(context ?? { gkScopeId: { value: '' } }, signal)).data;
}

export function numberOf(
  configset: ActiveConfigset | undefined,
  section: string,
  name: string,
  usual: number,
): number {
  const value = configset?.parameters[section]?.[name];
  return typeof value === 'number' ? value : usual;
}
