// Message and enum descriptors -> JSON Schema (2020-12, as OpenAPI 3.1 uses it), in the JSON mapping that the
// transcoder speaks. Collects every type that the registered services reach.
import { ScalarType, type DescEnum, type DescField, type DescMessage } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { descriptions } from '../../gen/descriptions.js';
import { CONTEXT, isMandatory, mandatoryInContext } from './mandatory.js';

export type JsonSchema = { [member: string]: unknown };

const wellKnown: Readonly<Record<string, JsonSchema>> = {
  'google.protobuf.Timestamp': { type: 'string', format: 'date-time', examples: ['2026-01-31T12:00:00Z'] },
  'google.protobuf.Duration': { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]{1,9})?s$', examples: ['3.5s'] },
  'google.protobuf.FieldMask': {
    description:
      'Names of fields, with or without a leading "details.": comma-separated text, or an object with a list of paths.',
    oneOf: [
      { type: 'string' },
      { type: 'object', properties: { paths: { type: 'array', items: { type: 'string' } } } },
    ],
    examples: ['description'],
  },
  'google.protobuf.Struct': { type: 'object' },
  'google.protobuf.Value': {},
  'google.protobuf.ListValue': { type: 'array', items: {} },
  'google.protobuf.Empty': { type: 'object' },
  'google.protobuf.Any': { type: 'object' },
};

export class SchemaCollector {
  readonly schemas: Record<string, JsonSchema> = {};

  ref(desc: DescMessage | DescEnum): JsonSchema {
    const known = wellKnown[desc.typeName];
    if (known) return known;
    if (desc.kind === 'message' && isWrapperDesc(desc)) return scalarSchema(desc.fields[0].scalar);
    if (!(desc.typeName in this.schemas)) {
      // Reserved first: message types may contain themselves.
      this.schemas[desc.typeName] = {};
      this.schemas[desc.typeName] = desc.kind === 'enum' ? enumSchema(desc) : this.#messageSchema(desc);
    }
    return { $ref: `#/components/schemas/${desc.typeName}` };
  }

  /** The message of a request; what its path gives is not mandatory in the body. */
  request(desc: DescMessage, inPath: readonly string[]): JsonSchema {
    const reference = this.ref(desc);
    const schema = this.schemas[desc.typeName];
    if (!schema || !Array.isArray(schema['required'])) return reference;
    const names = desc.fields.filter(({ name }) => inPath.includes(name)).map(({ jsonName }) => jsonName);
    const required = schema['required'].filter((name: string) => !names.includes(name));
    const { required: _before, ...rest } = schema;
    this.schemas[desc.typeName] = required.length > 0 ? { ...rest, required } : rest;
    return reference;
  }

  field(field: DescField): JsonSchema {
    const schema = { ...this.#fieldType(field), ...contextRequirement(field) };
    const description = descriptionOf(`${field.parent.typeName}.${field.name}`);
    return description === undefined ? schema : { ...schema, description };
  }

  #messageSchema(desc: DescMessage): JsonSchema {
    const properties = Object.fromEntries(desc.fields.map((field) => [field.jsonName, this.field(field)]));
    const oneofs = desc.oneofs.map((oneof) => {
      const names = oneof.fields.map((field) => field.jsonName).join(', ');
      return `${isMandatory(oneof) ? 'Exactly' : 'At most'} one of: ${names}.`;
    });
    const description = [descriptionOf(desc.typeName), ...oneofs].filter(Boolean).join(' ');
    const required = desc.fields.filter((field) => !field.oneof && isMandatory(field));
    const choices = desc.oneofs.filter(isMandatory).map(({ fields }) => ({
      oneOf: fields.map(({ jsonName }) => ({ required: [jsonName] })),
    }));
    return {
      type: 'object',
      ...(description === '' ? {} : { description }),
      properties,
      ...(required.length > 0 && { required: required.map(({ jsonName }) => jsonName) }),
      ...(choices.length > 0 && { allOf: choices }),
    };
  }

  #fieldType(field: DescField): JsonSchema {
    switch (field.fieldKind) {
      case 'scalar':
        return scalarSchema(field.scalar);
      case 'enum':
        return this.ref(field.enum);
      case 'message':
        return this.ref(field.message);
      case 'list':
        return { type: 'array', items: this.#itemType(field) };
      case 'map':
        return { type: 'object', additionalProperties: this.#itemType(field) };
    }
  }

  #itemType(field: DescField): JsonSchema {
    if (field.message) return this.ref(field.message);
    if (field.enum) return this.ref(field.enum);
    return scalarSchema(field.scalar as ScalarType);
  }
}

/** Which members of the context an operation needs is said where it is used. */
function contextRequirement(field: DescField): JsonSchema {
  if (field.fieldKind !== 'message' || field.message.typeName !== CONTEXT) return {};
  const needed = mandatoryInContext(field);
  const names = field.message.fields.filter(({ name }) => needed.includes(name));
  return names.length > 0 ? { required: names.map(({ jsonName }) => jsonName) } : {};
}

export function descriptionOf(name: string): string | undefined {
  return Object.hasOwn(descriptions, name) ? descriptions[name] : undefined;
}

function enumSchema(desc: DescEnum): JsonSchema {
  const values = desc.values.map((value) => {
    const meaning = descriptionOf(`${desc.typeName}.${value.name}`);
    return `- ${value.name} (${value.number})${meaning === undefined ? '' : `: ${meaning}`}`;
  });
  return {
    type: 'string',
    description: [
      descriptionOf(desc.typeName) ?? '',
      'Requests may send the number instead of the name.',
      ...values,
    ]
      .join('\n')
      .trim(),
    enum: desc.values.map((value) => value.name),
  };
}

function scalarSchema(type: ScalarType): JsonSchema {
  switch (type) {
    case ScalarType.STRING:
      return { type: 'string' };
    case ScalarType.BOOL:
      return { type: 'boolean' };
    case ScalarType.BYTES:
      return { type: 'string', contentEncoding: 'base64' };
    case ScalarType.FLOAT:
      return { type: 'number', format: 'float' };
    case ScalarType.DOUBLE:
      return { type: 'number', format: 'double' };
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return { type: 'string', format: 'int64' };
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return { type: 'integer', minimum: 0, maximum: 4294967295 };
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return { type: 'integer', format: 'int32' };
  }
}
