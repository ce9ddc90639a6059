// What a gRPC path leads to.
import type { GrpcCall } from './call.js';

/** Serves one call; a rejection is answered as an error of the server. */
export type Route = (call: GrpcCall) => Promise<void>;
export type Routes = ReadonlyMap<string, Route>;
