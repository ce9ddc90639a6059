// The numbers of the config set in use: its own values over the defaults that the server publishes.
import { get } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import type { Context } from '../../tenant/tenant.js';

export type Parameters = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface ConfigsetAnswer {
  details?: { gkConfigsetRevisionId?: { value: string }; state?: string };
  rawContent?: string;
}

interface Schema {
  properties?: Record<string, { properties?: Record<string, { default?: unknown }> }>;
}

export interface ActiveConfigset {
  revisionId: string | undefined;
  /** As written: what it leaves out has its default. */
  document: Record<string, Record<string, unknown>>;
  parameters: Parameters;
}

export async function readConfigset(context: Context, signal?: AbortSignal): Promise<ActiveConfigset> {
  const [answer, schema] = await Promise.all([
    get<ConfigsetAnswer>(
      `/v1/configsets/${encodeURIComponent(context.configsetId ?? '')}`,
      { context, expectedFormat: 'CONFIGSET_FORMAT_ALL_BYTES' },
      signal,
    ),
    get<Schema>('/schema/configset-1.json', undefined, signal).catch((): Schema => ({})),
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

/** Undefined until it is read; pages go on with usual values. */
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
