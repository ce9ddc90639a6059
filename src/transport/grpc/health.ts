// The standard health service (grpc.health.v1): what load balancers ask. Its three messages are small enough to be
// written by hand.
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { GrpcStatus } from '../grpc-status.js';
import type { GrpcCall } from './call.js';
import type { Routes } from './routes.js';

const SERVING = 1;
const NOT_SERVING = 2;
const SERVICE_UNKNOWN = 3;

interface Health {
  routes: Routes;
  setServing(serving: boolean): void;
}

export function createHealth(names: readonly string[]): Health {
  const known = new Set(names);
  const watching = new Set<() => void>();
  let serving = true;
  const statusOf = (name: string): number =>
    known.has(name) ? (serving ? SERVING : NOT_SERVING) : SERVICE_UNKNOWN;

  const check = async (call: GrpcCall): Promise<void> => {
    const name = serviceOf(await call.requests.next());
    const status = statusOf(name);
    if (status === SERVICE_UNKNOWN) call.end(GrpcStatus.NOT_FOUND, 'no such service');
    else call.answer(responseOf(status), {});
  };

  const watch = async (call: GrpcCall): Promise<void> => {
    const name = serviceOf(await call.requests.next());
    call.requests.ignoreRest();
    call.start({});
    let sent: number | undefined;
    const tell = (): void => {
      const status = statusOf(name);
      if (status !== sent) void call.write(responseOf((sent = status)));
    };
    tell();
    watching.add(tell);
    call.onCancel(() => watching.delete(tell));
  };

  const list = async (call: GrpcCall): Promise<void> => {
    await call.requests.next();
    const writer = new BinaryWriter();
    for (const name of names) {
      writer.tag(1, WireType.LengthDelimited).fork();
      writer.tag(1, WireType.LengthDelimited).string(name);
      writer.tag(2, WireType.LengthDelimited).bytes(responseOf(statusOf(name)));
      writer.join();
    }
    call.answer(Buffer.from(writer.finish()), {});
  };

  return {
    routes: new Map([
      ['/grpc.health.v1.Health/Check', check],
      ['/grpc.health.v1.Health/Watch', watch],
      ['/grpc.health.v1.Health/List', list],
    ]),
    setServing(now) {
      if (now === serving) return;
      serving = now;
      for (const tell of watching) tell();
    },
  };
}

/** The name in a HealthCheckRequest; empty for the server as a whole. */
function serviceOf(message: Buffer | undefined): string {
  const reader = new BinaryReader(message ?? new Uint8Array());
  let name = '';
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === 1 && type === WireType.LengthDelimited) name = reader.string();
    else reader.skip(type);
  }
  return name;
}

function responseOf(status: number): Buffer {
  return Buffer.from(new BinaryWriter().tag(1, WireType.Varint).int32(status).finish());
}
