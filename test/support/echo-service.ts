// A service with handlers that tests can steer by the scope id they send, on a descriptor of the contract.
import { AppError, invalidFields, missingField } from '../../src/errors.js';
import { ScopesManager } from '../../src/gen/vendor/biosec/v1/scopes/scopes_pb.js';
import type { Call } from '../../src/platform.js';
import { bindService, type Access, type Handlers, type ServiceBinding } from '../../src/transport/service.js';
import { inEnglish } from '../../src/words/server/say.js';

export interface Seen {
  calls: Call[];
  requests: Record<string, unknown>[];
  /** Lets calls for the scope id `gated` go on. */
  release: () => void;
}

/** Answers `gk-<scope id>`; special scope ids make it fail, wait or misbehave. */
export function echoScopes(access: Access = { anyOf: ['biosec'] }): { binding: ServiceBinding; seen: Seen } {
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  const seen: Seen = { calls: [], requests: [], release };
  const handle = async (call: Call, request: Record<string, unknown>): Promise<object> => {
    seen.calls.push(call);
    seen.requests.push(request);
    const scopeId = request['scopeId'];
    switch (scopeId) {
      case 'missing':
        throw invalidFields([
          missingField('scope_id'),
          { field: 'details.description', violation: 'TOO_LONG', ...inEnglish('is too long'), value: 'x' },
        ]);
      case 'long':
        // A character of two halves at the limit.
        throw invalidFields([
          {
            field: 'scope_id',
            violation: 'TOO_LONG',
            ...inEnglish('is too long'),
            value: `${'x'.repeat(199)}😀${'x'.repeat(500)}`,
          },
        ]);
      case 'busy':
        throw new AppError('BUSY', 'no capacity now', { retryAfterMs: 1500 });
      case 'locked':
        throw new AppError('PERMISSION_DENIED', inEnglish('the print is locked'), {
          diagnostics: [{ code: 'PROFILE_LOCKED', extras: { by: 'x' } }],
        });
      case 'bug':
        throw new Error('a secret inside');
      case 'gated':
        await gate;
        break;
      case 'endless':
        await new Promise<void>((resolve) => call.signal.addEventListener('abort', () => resolve()));
        break;
      default:
    }
    return { gkScopeId: { value: `gk-${String(scopeId)}` } };
  };
  const handlers = Object.fromEntries(ScopesManager.methods.map((method) => [method.localName, handle]));
  // These have no gk_scope_id in their answers.
  for (const name of [
    'updateScopeDetails',
    'renameScope',
    'setScopeState',
    'markScopeForDeletion',
    'unMarkScopeForDeletion',
    'resetScope',
    'listScopes',
    'getScopeDetails',
  ]) {
    handlers[name] = async (call, request) => {
      await handle(call, request);
      return {};
    };
  }
  return {
    binding: bindService(ScopesManager, access, handlers as unknown as Handlers<typeof ScopesManager>),
    seen,
  };
}
