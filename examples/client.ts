// A small gRPC client for the examples: one channel, a token that is fetched once and used until it is
// nearly over, and every method of a service by its name.
import {
  create,
  fromBinary,
  toBinary,
  type DescService,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import { Client, Metadata, credentials } from '@grpc/grpc-js';

export interface Connection {
  http: string;
  grpc: string;
  clientId: string;
  clientSecret: string;
}

export type Methods<S extends DescService> = {
  [K in keyof S['method']]: (
    request: MessageInitShape<S['method'][K]['input']>,
  ) => Promise<MessageShape<S['method'][K]['output']>>;
};

export class Voxgate {
  readonly #connection: Connection;
  readonly #channel: Client;
  #token: { value: string; renewAtMs: number } | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#channel = new Client(connection.grpc, credentials.createInsecure());
  }

  /** Client credentials with the scope of the voiceprint service (token-service specification, 4.1). */
  async token(): Promise<string> {
    if (this.#token && Date.now() < this.#token.renewAtMs) return this.#token.value;
    const basic = Buffer.from(
      `${encodeURIComponent(this.#connection.clientId)}:${this.#connection.clientSecret}`,
    ).toString('base64');
    const response = await fetch(`${this.#connection.http}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'biosec' }),
    });
    const answer = (await response.json()) as {
      access_token?: string;
      expires_in?: number;
      error_description?: string;
    };
    if (!answer.access_token || !answer.expires_in)
      throw new Error(`no token: ${answer.error_description ?? response.status}`);
    this.#token = { value: answer.access_token, renewAtMs: Date.now() + (answer.expires_in - 60) * 1000 };
    return answer.access_token;
  }

  service<S extends DescService>(service: S): Methods<S> {
    const methods = service.methods.map((method) => {
      const call = async (init: Record<string, unknown>) => {
        const metadata = new Metadata();
        metadata.set('authorization', `Bearer ${await this.token()}`);
        const response = await new Promise<Buffer>((resolve, reject) => {
          this.#channel.makeUnaryRequest(
            `/${service.typeName}/${method.name}`,
            (request: Uint8Array) => Buffer.from(request),
            (bytes: Buffer) => bytes,
            toBinary(method.input, create(method.input, init)),
            metadata,
            (error, answer) => (error ? reject(error) : resolve(answer as Buffer)),
          );
        });
        return fromBinary(method.output, response);
      };
      return [method.localName, call] as const;
    });
    return Object.fromEntries(methods) as unknown as Methods<S>;
  }

  close(): void {
    this.#channel.close();
  }
}
