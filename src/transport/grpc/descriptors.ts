// The reflection protocol as descriptors, built here because it must exist twice: clients still ask for
// `grpc.reflection.v1alpha`, whose messages equal those of `grpc.reflection.v1` in all but the package.
import { createFileRegistry, create, type DescMessage, type DescService } from '@bufbuild/protobuf';
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';

interface ReflectionProtocol {
  service: DescService;
  request: DescMessage;
  response: DescMessage;
}

interface FieldSpec {
  name: string;
  number: number;
  type: Type;
  /** Message name inside the package. */
  of?: string;
  repeated?: boolean;
  oneof?: boolean;
}

/** Field numbers and names of the published reflection protocol; they are its wire format. */
const messages: Readonly<Record<string, { oneof?: string; fields: FieldSpec[] }>> = {
  ServerReflectionRequest: {
    oneof: 'message_request',
    fields: [
      { name: 'host', number: 1, type: Type.STRING },
      { name: 'file_by_filename', number: 3, type: Type.STRING, oneof: true },
      { name: 'file_containing_symbol', number: 4, type: Type.STRING, oneof: true },
      {
        name: 'file_containing_extension',
        number: 5,
        type: Type.MESSAGE,
        of: 'ExtensionRequest',
        oneof: true,
      },
      { name: 'all_extension_numbers_of_type', number: 6, type: Type.STRING, oneof: true },
      { name: 'list_services', number: 7, type: Type.STRING, oneof: true },
    ],
  },
  ExtensionRequest: {
    fields: [
      { name: 'containing_type', number: 1, type: Type.STRING },
      { name: 'extension_number', number: 2, type: Type.INT32 },
    ],
  },
  ServerReflectionResponse: {
    oneof: 'message_response',
    fields: [
      { name: 'valid_host', number: 1, type: Type.STRING },
      { name: 'original_request', number: 2, type: Type.MESSAGE, of: 'ServerReflectionRequest' },
      {
        name: 'file_descriptor_response',
        number: 4,
        type: Type.MESSAGE,
        of: 'FileDescriptorResponse',
        oneof: true,
      },
      {
        name: 'all_extension_numbers_response',
        number: 5,
        type: Type.MESSAGE,
        of: 'ExtensionNumberResponse',
        oneof: true,
      },
      {
        name: 'list_services_response',
        number: 6,
        type: Type.MESSAGE,
        of: 'ListServiceResponse',
        oneof: true,
      },
      { name: 'error_response', number: 7, type: Type.MESSAGE, of: 'ErrorResponse', oneof: true },
    ],
  },
  FileDescriptorResponse: {
    fields: [{ name: 'file_descriptor_proto', number: 1, type: Type.BYTES, repeated: true }],
  },
  ExtensionNumberResponse: {
    fields: [
      { name: 'base_type_name', number: 1, type: Type.STRING },
      { name: 'extension_number', number: 2, type: Type.INT32, repeated: true },
    ],
  },
  ListServiceResponse: {
    fields: [{ name: 'service', number: 1, type: Type.MESSAGE, of: 'ServiceResponse', repeated: true }],
  },
  ServiceResponse: { fields: [{ name: 'name', number: 1, type: Type.STRING }] },
  ErrorResponse: {
    fields: [
      { name: 'error_code', number: 1, type: Type.INT32 },
      { name: 'error_message', number: 2, type: Type.STRING },
    ],
  },
};

export function reflectionProtocol(version: 'v1' | 'v1alpha'): ReflectionProtocol {
  const pkg = `grpc.reflection.${version}`;
  const file = create(FileDescriptorProtoSchema, {
    name: `grpc/reflection/${version}/reflection.proto`,
    package: pkg,
    syntax: 'proto3',
    messageType: Object.entries(messages).map(([name, message]) => ({
      name,
      oneofDecl: message.oneof === undefined ? [] : [{ name: message.oneof }],
      field: message.fields.map((field) => ({
        name: field.name,
        number: field.number,
        type: field.type,
        label: field.repeated ? Label.REPEATED : Label.OPTIONAL,
        ...(field.of === undefined ? {} : { typeName: `.${pkg}.${field.of}` }),
        ...(field.oneof ? { oneofIndex: 0 } : {}),
      })),
    })),
    service: [
      {
        name: 'ServerReflection',
        method: [
          {
            name: 'ServerReflectionInfo',
            inputType: `.${pkg}.ServerReflectionRequest`,
            outputType: `.${pkg}.ServerReflectionResponse`,
            clientStreaming: true,
            serverStreaming: true,
          },
        ],
      },
    ],
  });
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: [file] }));
  return {
    service: required(registry.getService(`${pkg}.ServerReflection`)),
    request: required(registry.getMessage(`${pkg}.ServerReflectionRequest`)),
    response: required(registry.getMessage(`${pkg}.ServerReflectionResponse`)),
  };
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the reflection protocol does not resolve');
  return value;
}
