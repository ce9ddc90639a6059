// Holds messages that were really sent against the AsyncAPI document that the server gives out.
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { AsyncApiDocument } from '../../src/transport/asyncapi/document.js';

type Schema = Record<string, unknown>;

/** A member that the document does not know is a fault too. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, strict(value)]));
  return 'properties' in copy && copy['type'] === 'object' ? { ...copy, additionalProperties: false } : copy;
}

/** Gives the faults of a message, none where it is as described. */
export async function describedMessages(
  httpUrl: string,
): Promise<(message: string, value: unknown) => string[]> {
  const document = (await (await fetch(`${httpUrl}/asyncapi.json`)).json()) as AsyncApiDocument;
  const { schemas, messages } = document.components;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: 'doc', components: { schemas: strict(schemas) as Schema } });
  const absolute = (schema: unknown): unknown =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"doc#/components'));
  return (name, value) => {
    const validate = ajv.compile(absolute(strict(messages[name]?.payload ?? {})) as Schema);
    return validate(value) ? [] : (validate.errors ?? []).map((fault) => JSON.stringify(fault));
  };
}
