// One installation for everything that is tried from outside with the client library: the library itself, its package, and
// the commands that are built on it.
import { WebSocket } from 'ws';
import { Voxgate, type VoxgateOptions } from '../../src/client/index.js';
import type { SocketConstructor } from '../../src/client/live.js';
import { fixturePath, utterance, type VoiceName } from '../biometrics/support.js';
import { sharedEngine } from '../support/engine.js';
import { startInstallation, type Installation } from '../support/installation.js';
import { cheapPasswords } from '../support/passwords.js';

export class Kit {
  readonly installation: Installation;
  readonly voxgate: Voxgate;

  private constructor(installation: Installation) {
    this.installation = installation;
    this.voxgate = this.client();
  }

  static async start(): Promise<Kit> {
    return new Kit(await startInstallation('', { engine: await sharedEngine(), passwords: cheapPasswords }));
  }

  /** As a program would name them. */
  get credentials() {
    const { urls, scope, application, configset_id: configset } = this.installation.made;
    return {
      server: urls.http,
      tenant: scope.gk_scope_id,
      clientId: application.client_id,
      clientSecret: application.client_secret ?? '',
      configset,
    };
  }

  client(options: Partial<VoxgateOptions> = {}): Voxgate {
    return new Voxgate({ ...this.credentials, webSocket: WebSocket as SocketConstructor, ...options });
  }

  /** As the environment of a command or program names them. */
  get environment(): Record<string, string> {
    const { server, tenant, clientId, clientSecret } = this.credentials;
    return {
      VOXGATE_SERVER: server,
      VOXGATE_TENANT: tenant,
      VOXGATE_CLIENT_ID: clientId,
      VOXGATE_CLIENT_SECRET: clientSecret,
    };
  }
}

export const voices = (voice: VoiceName, ...indexes: number[]): Uint8Array[] =>
  indexes.map((index) => utterance(voice, index));

export const files = (voice: VoiceName, ...indexes: number[]): string[] =>
  indexes.map((index) => fixturePath(voice, index));
