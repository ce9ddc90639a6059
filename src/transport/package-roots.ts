// Clients that were generated from the same definitions under another root package: their names for our services, types,
// files and legacy paths. Messages carry no package on the wire, so names are all there is to map (ADR 46).
import {
  clone,
  create,
  createFileRegistry,
  getExtension,
  hasExtension,
  setExtension,
  type DescFile,
  type DescService,
} from '@bufbuild/protobuf';
import {
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  type DescriptorProto,
  type FieldDescriptorProto,
  type FileDescriptorProto,
  type MethodDescriptorProto,
} from '@bufbuild/protobuf/wkt';
import { http } from '../gen/google/api/annotations_pb.js';
import type { HttpRule } from '../gen/google/api/http_pb.js';
import { StatusSchema } from '../gen/vendor/rpc/status_pb.js';
import type { Operation } from './dispatch/exchange.js';

/** The root of the contract's own packages. */
const OWN_ROOT = StatusSchema.typeName.slice(0, StatusSchema.typeName.indexOf('.'));

/** The name of one of the contract's types or services under another root; undefined for what is not of the contract. */
export function typeUnderRoot(name: string, root: string): string | undefined {
  return name.startsWith(`${OWN_ROOT}.`) ? root + name.slice(OWN_ROOT.length) : undefined;
}

/** A legacy path under another root; undefined for paths without a root. */
export function pathUnderRoot(path: string, root: string): string | undefined {
  return path.startsWith(`/${OWN_ROOT}/`)
    ? `/${root.replaceAll('.', '/')}${path.slice(OWN_ROOT.length + 1)}`
    : undefined;
}

/** The operation as such a client knows it: refusals name the fields of its own types. */
export function operationUnderRoot(operation: Operation, root: string): Operation | undefined {
  const requestType = typeUnderRoot(operation.method.input.typeName, root);
  return requestType === undefined ? undefined : { ...operation, requestType };
}

/** The services of the contract as they are called under another root, for reflection. */
export function servicesUnderRoot(services: readonly DescService[], root: string): DescService[] {
  const files: FileDescriptorProto[] = [];
  const visited = new Set<DescFile>();
  const add = (file: DescFile): void => {
    if (visited.has(file)) return;
    visited.add(file);
    file.dependencies.forEach(add);
    files.push(renamedFile(file, root));
  };
  const own = services.filter(({ typeName }) => typeUnderRoot(typeName, root) !== undefined);
  for (const { file } of own) add(file);
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: files }));
  return own.flatMap(({ typeName }) => registry.getService(typeUnderRoot(typeName, root) ?? '') ?? []);
}

function renamedFile(file: DescFile, root: string): FileDescriptorProto {
  const renamed = clone(FileDescriptorProtoSchema, file.proto);
  const fileName = (name: string): string => pathUnderRoot(`/${name}`, root)?.slice(1) ?? name;
  renamed.name = fileName(renamed.name);
  renamed.dependency = renamed.dependency.map(fileName);
  renamed.package = typeUnderRoot(`${renamed.package}.`, root)?.slice(0, -1) ?? renamed.package;
  for (const message of renamed.messageType) renameMessage(message, root);
  for (const extension of renamed.extension) renameField(extension, root);
  for (const service of renamed.service)
    for (const method of service.method) {
      method.inputType = reference(method.inputType, root);
      method.outputType = reference(method.outputType, root);
      renamePaths(method, root);
    }
  return renamed;
}

function renameMessage(message: DescriptorProto, root: string): void {
  for (const field of [...message.field, ...message.extension]) renameField(field, root);
  for (const nested of message.nestedType) renameMessage(nested, root);
}

function renameField(field: FieldDescriptorProto, root: string): void {
  field.typeName = reference(field.typeName, root);
  field.extendee = reference(field.extendee, root);
}

/** References begin with a dot; empty where there is none. */
const reference = (name: string, root: string): string => {
  const renamed = typeUnderRoot(name.slice(1), root);
  return renamed === undefined ? name : `.${renamed}`;
};

function renamePaths({ options }: MethodDescriptorProto, root: string): void {
  if (!options || !hasExtension(options, http)) return;
  const rule = getExtension(options, http);
  const rename = (one: HttpRule): void => {
    const { pattern } = one;
    if (typeof pattern.value === 'string')
      pattern.value = pathUnderRoot(pattern.value, root) ?? pattern.value;
    one.additionalBindings.forEach(rename);
  };
  rename(rule);
  setExtension(options, http, rule);
}
