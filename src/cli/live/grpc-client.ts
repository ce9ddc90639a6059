// A connection of the command line to the gRPC listener of a server.
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';

interface GrpcConnection {
  client: Client;
  metadata: Metadata;
}

/** `server`: HOST:PORT, or https://HOST:PORT for TLS. */
export function connectGrpc(server: string, token: string | undefined): GrpcConnection {
  const isSecure = server.startsWith('https://');
  const address = server.replace(/^https?:\/\//, '');
  const client = new Client(address, isSecure ? credentials.createSsl() : credentials.createInsecure());
  const metadata = new Metadata();
  if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
  return { client, metadata };
}

/** As the answers of operations have it in their JSON. */
export interface AnswerStatus {
  statusCode?: string;
  statusMessage?: { message?: string };
}

/** What is said in the body in place of an answer. */
export function refusalIn(status: AnswerStatus | undefined): Error {
  const { statusMessage, statusCode } = status ?? {};
  return new Error(statusMessage?.message ?? statusCode ?? 'the server refused the call');
}

/** What ended the stream, without the number that gRPC has for it. */
export const failureIn = ({ details, message }: ServiceError): Error => new Error(details || message);
