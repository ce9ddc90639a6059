// The published JSON schema of config-set documents, derived from the parameter table.
import { parameterTable, type ParameterRule } from '../model/parameters.js';

const CONFIGSET_SCHEMA_ID = 'https://voxgate.dev/schema/configset-1.json';

export function configsetSchema(): Record<string, unknown> {
  const sections = Object.entries(parameterTable) as [string, Record<string, ParameterRule>][];
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: CONFIGSET_SCHEMA_ID,
    title: 'Voxgate config set',
    description:
      'Parameters that control the calls that name this config set. Whatever is left out keeps its default.',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      ...Object.fromEntries(
        sections.map(([section, rules]) => [
          section,
          {
            type: 'object',
            additionalProperties: false,
            properties: Object.fromEntries(
              Object.entries(rules).map(([name, rule]) => [name, propertyOf(rule)]),
            ),
          },
        ]),
      ),
    },
  };
}

function propertyOf(rule: ParameterRule): Record<string, unknown> {
  const about = { description: rule.about, default: rule.default };
  switch (rule.kind) {
    case 'boolean':
      return { type: 'boolean', ...about };
    case 'number':
    case 'integer':
      return { type: rule.kind, minimum: rule.min, maximum: rule.max, ...about };
    case 'numbers':
      return {
        type: 'array',
        maxItems: rule.maxItems,
        items: { type: 'number', minimum: rule.min, maximum: rule.max },
        ...about,
      };
  }
}
