// The only script on the pages of this server: it asks the browser for a passkey and sends the answer with the form. Small
// enough to stand in the page; the content security policy names it by its hash.
import { createHash } from 'node:crypto';
import type { PasskeyQuestion } from '../../../auth/factors/check-passkey.js';
import { markup, type Markup } from './page-frame.js';
import type { Say } from './page-words.js';

/** Without script or passkeys the button stays hidden; nothing else on the page needs either. */
const SCRIPT = `
(() => {
  const form = document.getElementById('passkey');
  if (!form || !window.PublicKeyCredential) return;
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=+$/, '');
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    if (form.credential.value !== '') return;
    event.preventDefault();
    const options = JSON.parse(form.dataset.options);
    options.challenge = bytes(options.challenge);
    options.allowCredentials = (options.allowCredentials || []).map((each) => ({ ...each, id: bytes(each.id) }));
    try {
      const found = await navigator.credentials.get({ publicKey: options });
      const { authenticatorData, clientDataJSON, signature, userHandle } = found.response;
      form.credential.value = JSON.stringify({
        id: found.id, rawId: text(found.rawId), type: found.type, clientExtensionResults: {},
        response: {
          authenticatorData: text(authenticatorData), clientDataJSON: text(clientDataJSON), signature: text(signature),
          ...(userHandle ? { userHandle: text(userHandle) } : {}),
        },
      });
      form.submit();
    } catch {
      document.getElementById('passkey-problem').hidden = false;
    }
  });
})();`;

/** For the policy of a page that has the form. */
export const passkeyScript = {
  text: SCRIPT,
  hash: createHash('sha256').update(SCRIPT).digest('base64'),
};

export function passkeyForm(question: PasskeyQuestion, hidden: Markup, say: Say): Markup {
  return markup`<form id="passkey" method="post" action="/oauth2/login/passkey" hidden data-options="${question.optionsJson}">${hidden}
<input type="hidden" name="ticket" value="${question.ticket}"><input type="hidden" name="credential" value="">
<p id="passkey-problem" class="alert" role="alert" hidden>${say('The passkey was not used. Please try again.')}</p>
<p><button type="submit" class="quiet">${say('Use a passkey')}</button></p></form>`;
}
