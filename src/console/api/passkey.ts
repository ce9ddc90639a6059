// Asks the browser for a new or existing passkey: options and answer are WebAuthn's JSON, which older
// browsers cannot read and write themselves.

export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in window;
}

interface CreationOptions {
  challenge: string;
  user: { id: string; name: string; displayName: string };
  excludeCredentials?: { id: string; type: 'public-key' }[];
}

/** Undefined if the user changed their mind, or the browser has none to offer. */
export async function makePasskey(optionsJson: string): Promise<string | undefined> {
  const options = JSON.parse(optionsJson) as CreationOptions;
  const publicKey = {
    ...options,
    challenge: bytesOf(options.challenge),
    user: { ...options.user, id: bytesOf(options.user.id) },
    excludeCredentials: (options.excludeCredentials ?? []).map((each) => ({ ...each, id: bytesOf(each.id) })),
  } as unknown as PublicKeyCredentialCreationOptions;
  const made = await navigator.credentials.create({ publicKey }).catch(() => null);
  if (!(made instanceof PublicKeyCredential)) return undefined;
  const { clientDataJSON, attestationObject } = made.response as AuthenticatorAttestationResponse;
  return JSON.stringify({
    id: made.id,
    rawId: textOf(made.rawId),
    type: made.type,
    clientExtensionResults: {},
    response: { clientDataJSON: textOf(clientDataJSON), attestationObject: textOf(attestationObject) },
  });
}

interface RequestOptions {
  challenge: string;
  allowCredentials?: { id: string; type: 'public-key' }[];
}

/**
 * The answer of an existing passkey; undefined if the user changed their mind, or the passkey is not
 * available here.
 */
export async function answerPasskey(optionsJson: string): Promise<string | undefined> {
  const options = JSON.parse(optionsJson) as RequestOptions;
  const publicKey = {
    ...options,
    challenge: bytesOf(options.challenge),
    allowCredentials: (options.allowCredentials ?? []).map((each) => ({ ...each, id: bytesOf(each.id) })),
  } as unknown as PublicKeyCredentialRequestOptions;
  const given = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (!(given instanceof PublicKeyCredential)) return undefined;
  const { clientDataJSON, authenticatorData, signature, userHandle } =
    given.response as AuthenticatorAssertionResponse;
  return JSON.stringify({
    id: given.id,
    rawId: textOf(given.rawId),
    type: given.type,
    clientExtensionResults: {},
    response: {
      clientDataJSON: textOf(clientDataJSON),
      authenticatorData: textOf(authenticatorData),
      signature: textOf(signature),
      ...(userHandle ? { userHandle: textOf(userHandle) } : {}),
    },
  });
}

function bytesOf(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

function textOf(buffer: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
