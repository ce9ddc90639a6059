// Five minutes for each kind of reader, on the API page. Every step is for the shell and runs exactly as written; a test runs
// them.

import { CREDENTIALS } from './sample.js';

export interface Tutorial {
  id: string;
  title: string;
  about: string;
  steps: readonly { text: string; code: string }[];
}

const profile = {
  text: 'Set the server and a client. On the machine of the server, in the folder that it was started in, these lines make one; elsewhere, export the ID and the secret of a client and the ID of its tenant before.',
  code: CREDENTIALS,
};

const VOICES = [
  '# a folder with recordings of one voice, called 1 to 4; a checkout of Voxgate has one:',
  'VOICES=${VOICES:-test/fixtures/voices/anna}',
].join('\n');

const developer: Tutorial = {
  id: 'tutorial-developer',
  title: 'Application developer: sign in with a voice',
  about: 'You have three recordings of somebody and want to know whether a fourth is the same person.',
  steps: [
    profile,
    {
      text: 'Install the client library: the file voxgate-client of the release that your server is of, or made in a checkout.',
      code: `mkdir -p tutorial
: "\${VOXGATE_CLIENT_PACKAGE:=$PWD/tutorial/$(cd packages/client && npm pack --silent --pack-destination ../../tutorial | tail -n 1)}"
npm install --prefix tutorial "$VOXGATE_CLIENT_PACKAGE"`,
    },
    {
      text: 'Write a program that uses it. The library fetches tokens, repeats requests that got no answer, and starts and stops the session.',
      code: `${VOICES}
cat > tutorial/first.mjs <<'JS'
import { readFile } from 'node:fs/promises';
import { Voxgate } from '@voxgate/client';

const { VOXGATE_SERVER, VOXGATE_TENANT, VOXGATE_CLIENT_ID, VOXGATE_CLIENT_SECRET } = process.env;
const voxgate = new Voxgate({
  server: VOXGATE_SERVER,
  tenant: VOXGATE_TENANT,
  clientId: VOXGATE_CLIENT_ID,
  clientSecret: VOXGATE_CLIENT_SECRET,
});
const [fresh, ...known] = await Promise.all(process.argv.slice(2).map((name) => readFile(name)));
const { trained, recordings } = await voxgate.enroll('tutorial-anna', known, { consent: true });
console.log(trained, recordings.map(({ reason }) => reason).join(' '));
const { decision, reason, risk } = await voxgate.verify('tutorial-anna', fresh);
console.log(decision, reason, risk);
JS
node tutorial/first.mjs "$VOICES"/4.* "$VOICES"/[123].*`,
    },
    {
      text: 'It prints AUTHENTIC VOICEPRINT_MATCH. The other decisions, and what to do about them, are described under Verify; bad audio is an UNCERTAIN decision with a reason, not an error. In Python, use voxgate.enroll and voxgate.verify in the same way.',
      code: 'voxgate person show tutorial-anna',
    },
  ],
};

const integrator: Tutorial = {
  id: 'tutorial-integrator',
  title: 'Contact-center integrator: judge a call while it runs',
  about:
    'A customer is on the line. Your telephone system can stream the call; Voxgate tells you within seconds of speech who it is. You have recordings of the customer, and play one instead of a real call.',
  steps: [
    profile,
    {
      text: 'The customer needs a voiceprint, and the call a session.',
      code: `${VOICES}
voxgate enroll tutorial-caller "$VOICES"/[123].* --consent
field() { node -p "JSON.parse(require('fs').readFileSync(0)).$1"; }
TOKEN=$(curl -s "$VOXGATE_SERVER/oauth2/token" --data-urlencode "client_id=$VOXGATE_CLIENT_ID" \\
  --data-urlencode "client_secret=$VOXGATE_CLIENT_SECRET" -d grant_type=client_credentials -d scope=biosec | field access_token)
post() { curl -s -X POST "$VOXGATE_SERVER$1" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d "$2"; }
SCOPE="\\"gkScopeId\\": {\\"value\\": \\"$VOXGATE_TENANT\\"}, \\"configsetId\\": \\"SYSTEM\\""
SESSION=$(post /v1/sessions/start "{\\"context\\": {$SCOPE}, \\"sessionType\\": \\"SESSION_TYPE_CALL_CENTER\\"}")
CONTEXT="{$SCOPE, \\"gkSessionId\\": {\\"value\\": \\"$(field gkSessionId.value <<<"$SESSION")\\"},
  \\"gkEngagementId\\": {\\"value\\": \\"$(field gkEngagementId.value <<<"$SESSION")\\"}}"`,
    },
    {
      text: 'When the call comes in, prepare it: say what to listen for. The answer contains a token for one audio stream, which Twilio, Genesys, Asterisk and others can send along.',
      code: `PRINT=$(voxgate verify tutorial-caller "$VOICES"/4.* --json | field profileId)
CALL=$(post /v1/live/calls "{\\"context\\": $CONTEXT,
  \\"target\\": {\\"gkVoiceprintProfileIds\\": {\\"uniqueIds\\": [{\\"value\\": \\"$PRINT\\"}]}}}")`,
    },
    {
      text: 'Send the audio. This plays a file as a telephone would, only faster; the last line is the decision.',
      code: 'voxgate live send "$VOICES"/4.* --server "$VOXGATE_SERVER" --stream-token "$(field streamToken <<<"$CALL")" --speed 0',
    },
  ],
};

const analyst: Tutorial = {
  id: 'tutorial-analyst',
  title: 'Fraud analyst: find a voice again',
  about:
    'Somebody called under a false name, and three calls were recorded. You want to be told when that voice calls again.',
  steps: [
    profile,
    {
      text: 'Make a print of the voice and put it on a watchlist.',
      code: `${VOICES}
voxgate enroll case-4711 "$VOICES"/[123].* --fraudster
voxgate watchlist create tutorial-known
voxgate watchlist add tutorial-known case-4711`,
    },
    {
      text: 'Look for the voices on the list in another call. The exit code is the answer: 0 if none was heard, 2 if one was.',
      code: 'voxgate watchlist check tutorial-known "$VOICES"/4.* || echo "exit code $?"',
    },
    {
      text: 'See what was decided, why, and in which session; the event feed reports the same to other systems as it happens.',
      code: `voxgate session list --most 5
voxgate events tail --type voxgate.v1.DetectKnownFraudsters`,
    },
  ],
};

export const tutorials: readonly Tutorial[] = [developer, integrator, analyst];
