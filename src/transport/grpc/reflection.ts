// Server reflection (v1 and v1alpha) straight from the descriptors of the registered services. The files go
// out exactly as compiled, HTTP annotations included, so that a generic client learns the REST paths too.
import {
  create,
  fromBinary,
  toBinary,
  type DescFile,
  type DescService,
  type Message,
} from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { GrpcStatus } from '../grpc-status.js';
import { unreadable } from '../refusal.js';
import type { GrpcCall } from './call.js';
import { reflectionProtocol } from './descriptors.js';
import type { Routes } from './routes.js';

interface ReflectionRequest {
  host: string;
  messageRequest:
    | {
        case: 'fileByFilename' | 'fileContainingSymbol' | 'allExtensionNumbersOfType' | 'listServices';
        value: string;
      }
    | { case: 'fileContainingExtension'; value: { containingType: string; extensionNumber: number } }
    | { case: undefined };
}

interface ReflectionAnswer {
  case: string;
  value: object;
}

export function reflectionRoutes(services: readonly DescService[]): Routes {
  const index = new DescriptorIndex(services);
  return new Map(
    (['v1', 'v1alpha'] as const).map((version) => {
      const protocol = reflectionProtocol(version);
      const answer = (bytes: Buffer): Buffer => {
        const request = fromBinary(protocol.request, bytes) as Message & ReflectionRequest;
        const response = create(protocol.response, {
          validHost: request.host,
          originalRequest: request,
          messageResponse: index.answer(request),
        } as Record<string, unknown>);
        return Buffer.from(toBinary(protocol.response, response));
      };
      return [`/${protocol.service.typeName}/ServerReflectionInfo`, (call) => converse(call, answer)];
    }),
  );
}

/** One answer at a time: whoever does not read theirs gets no more. */
async function converse(call: GrpcCall, answer: (bytes: Buffer) => Buffer): Promise<void> {
  call.start({});
  for (;;) {
    call.hold.release();
    const bytes = await call.requests.next();
    if (!bytes) break;
    let reply: Buffer;
    try {
      reply = answer(bytes);
    } catch {
      throw unreadable('not a reflection request');
    }
    await call.write(reply);
  }
  call.end(GrpcStatus.OK);
}

class DescriptorIndex {
  readonly #services: readonly string[];
  readonly #files = new Map<string, DescFile>();
  readonly #bySymbol = new Map<string, DescFile>();
  readonly #encoded = new Map<DescFile, Uint8Array>();
  /** extendee type -> field number -> file */
  readonly #extensions = new Map<string, Map<number, DescFile>>();

  constructor(services: readonly DescService[]) {
    this.#services = services.map((service) => service.typeName);
    const offered = new Set(this.#services);
    for (const service of services) this.#addFile(service.file, offered);
  }

  answer(request: ReflectionRequest): ReflectionAnswer {
    const asked = request.messageRequest;
    switch (asked.case) {
      case 'listServices':
        return { case: 'listServicesResponse', value: { service: this.#services.map((name) => ({ name })) } };
      case 'fileByFilename':
        return this.#fileAnswer(this.#files.get(asked.value), `file ${asked.value}`);
      case 'fileContainingSymbol':
        return this.#fileAnswer(this.#bySymbol.get(asked.value.replace(/^\./, '')), `symbol ${asked.value}`);
      case 'fileContainingExtension': {
        const { containingType, extensionNumber } = asked.value;
        const file = this.#extensions.get(containingType)?.get(extensionNumber);
        return this.#fileAnswer(file, `extension ${extensionNumber} of ${containingType}`);
      }
      case 'allExtensionNumbersOfType': {
        if (!this.#bySymbol.has(asked.value)) return notFound(`type ${asked.value}`);
        const numbers = [...(this.#extensions.get(asked.value)?.keys() ?? [])];
        return {
          case: 'allExtensionNumbersResponse',
          value: { baseTypeName: asked.value, extensionNumber: numbers },
        };
      }
      case undefined:
        return {
          case: 'errorResponse',
          value: { errorCode: GrpcStatus.INVALID_ARGUMENT, errorMessage: 'empty request' },
        };
    }
  }

  #addFile(file: DescFile, offered: ReadonlySet<string>): void {
    if (this.#files.has(file.proto.name)) return;
    this.#files.set(file.proto.name, file);
    for (const dependency of file.dependencies) this.#addFile(dependency, offered);
    for (const enumType of file.enums) this.#addEnum(enumType, file);
    for (const message of file.messages) this.#addMessage(message, file);
    for (const extension of file.extensions) {
      this.#bySymbol.set(extension.typeName, file);
      this.#addExtension(extension.extendee.typeName, extension.number, file);
    }
    for (const service of file.services) {
      // A service in the same file that is not registered is not advertised.
      if (!offered.has(service.typeName)) continue;
      this.#bySymbol.set(service.typeName, file);
      for (const method of service.methods) this.#bySymbol.set(`${service.typeName}.${method.name}`, file);
    }
  }

  #addMessage(message: DescFile['messages'][number], file: DescFile): void {
    this.#bySymbol.set(message.typeName, file);
    for (const field of message.fields) this.#bySymbol.set(`${message.typeName}.${field.name}`, file);
    for (const oneof of message.oneofs) this.#bySymbol.set(`${message.typeName}.${oneof.name}`, file);
    for (const nested of message.nestedMessages) this.#addMessage(nested, file);
    for (const nested of message.nestedEnums) this.#addEnum(nested, file);
  }

  #addEnum(enumType: DescFile['enums'][number], file: DescFile): void {
    this.#bySymbol.set(enumType.typeName, file);
    for (const value of enumType.values) this.#bySymbol.set(`${enumType.typeName}.${value.name}`, file);
  }

  #addExtension(extendee: string, number: number, file: DescFile): void {
    const numbers = this.#extensions.get(extendee) ?? new Map<number, DescFile>();
    this.#extensions.set(extendee, numbers.set(number, file));
  }

  /** The file and everything it imports, so that one question is enough for a client. */
  #fileAnswer(file: DescFile | undefined, what: string): ReflectionAnswer {
    if (!file) return notFound(what);
    const visited = new Set<DescFile>();
    const importsFirst: DescFile[] = [];
    const add = (next: DescFile): void => {
      if (visited.has(next)) return;
      visited.add(next);
      next.dependencies.forEach(add);
      importsFirst.push(next);
    };
    add(file);
    // The file that was asked for comes first, as clients expect; every file precedes its imports.
    const files = importsFirst.reverse().map((one) => this.#encode(one));
    return { case: 'fileDescriptorResponse', value: { fileDescriptorProto: files } };
  }

  #encode(file: DescFile): Uint8Array {
    let bytes = this.#encoded.get(file);
    if (!bytes) this.#encoded.set(file, (bytes = toBinary(FileDescriptorProtoSchema, file.proto)));
    return bytes;
  }
}

function notFound(what: string): ReflectionAnswer {
  return {
    case: 'errorResponse',
    value: { errorCode: GrpcStatus.NOT_FOUND, errorMessage: `no such ${what}` },
  };
}
