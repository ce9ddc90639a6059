// Five minutes for each kind of reader, on the API page. Every step is for the shell and runs exactly as written; a test runs
// them.

export interface Tutorial {
  id: string;
  title: string;
  about: string;
  steps: readonly { text: string; code: string }[];
}

const profile = {
  text: 'Set the server and your credentials once. The output of bootstrap has everything; on a server run by others, ask for a client ID, its secret and the ID of your tenant.',
  code: [
    'export VOXGATE_SERVER=${VOXGATE_SERVER:-http://127.0.0.1:8080}',
    '# from `voxgate bootstrap --json`, or from whoever runs the server:',
    ': "${VOXGATE_TENANT:?}" "${VOXGATE_CLIENT_ID:?}" "${VOXGATE_CLIENT_SECRET:?}"',
  ].join('\n'),
};

const developer: Tutorial = {
  id: 'tutorial-developer',
  title: 'Application developer: sign in with a voice',
  about:
    'You have three recordings of somebody (1.wav, 2.wav, 3.wav) and want to know whether a fourth (call.wav) is the same person.',
  steps: [
    profile,
    {
      text: 'Install the client library in your own folder: the file voxgate-client of the release that your server is of.',
      code: `# where that file is, such as ~/Downloads/voxgate-client.tgz:
: "\${VOXGATE_CLIENT_PACKAGE:?}"
npm install "$VOXGATE_CLIENT_PACKAGE"`,
    },
    {
      text: 'Write a program that uses it. The library fetches tokens, repeats requests that got no answer, and starts and stops the session.',
      code: `cat > first.mjs <<'JS'
import { readFile } from 'node:fs/promises';
import { Voxgate } from '@voxgate/client';

const { VOXGATE_SERVER, VOXGATE_TENANT, VOXGATE_CLIENT_ID, VOXGATE_CLIENT_SECRET } = process.env;
const voxgate = new Voxgate({
  server: VOXGATE_SERVER,
  tenant: VOXGATE_TENANT,
  clientId: VOXGATE_CLIENT_ID,
  clientSecret: VOXGATE_CLIENT_SECRET,
});
const files = await Promise.all(['1.wav', '2.wav', '3.wav'].map((name) => readFile(name)));
const { trained, recordings } = await voxgate.enroll('tutorial-anna', files, { consent: true });
console.log(trained, recordings.map(({ reason }) => reason).join(' '));
const { decision, reason, risk } = await voxgate.verify('tutorial-anna', await readFile('call.wav'));
console.log(decision, reason, risk);
JS
node first.mjs`,
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
    'A customer is on the line. Your telephone system can stream the call; Voxgate tells you within seconds of speech who it is. You have recordings of the customer (1.wav, 2.wav, 3.wav) and play call.wav instead of a real call.',
  steps: [
    profile,
    {
      text: 'The customer needs a voiceprint, and the call a session.',
      code: `voxgate enroll tutorial-caller 1.wav 2.wav 3.wav --consent
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
      code: `PRINT=$(voxgate verify tutorial-caller call.wav --json | field profileId)
CALL=$(post /v1/live/calls "{\\"context\\": $CONTEXT,
  \\"target\\": {\\"gkVoiceprintProfileIds\\": {\\"uniqueIds\\": [{\\"value\\": \\"$PRINT\\"}]}}}")`,
    },
    {
      text: 'Send the audio. This plays a file as a telephone would, only faster; the last line is the decision.',
      code: 'voxgate live send call.wav --server "$VOXGATE_SERVER" --stream-token "$(field streamToken <<<"$CALL")" --speed 0',
    },
  ],
};

const analyst: Tutorial = {
  id: 'tutorial-analyst',
  title: 'Fraud analyst: find a voice again',
  about:
    'Somebody called under a false name, and the calls were recorded (1.wav, 2.wav, 3.wav). You want to be told when that voice calls again (call.wav).',
  steps: [
    profile,
    {
      text: 'Make a print of the voice and put it on a watchlist.',
      code: `voxgate enroll case-4711 1.wav 2.wav 3.wav --fraudster
voxgate watchlist create tutorial-known
voxgate watchlist add tutorial-known case-4711`,
    },
    {
      text: 'Look for the voices on the list in another call. The exit code is the answer: 0 if none was heard, 2 if one was.',
      code: 'voxgate watchlist check tutorial-known call.wav || echo "exit code $?"',
    },
    {
      text: 'See what was decided, why, and in which session; the event feed reports the same to other systems as it happens.',
      code: `voxgate session list --most 5
voxgate events tail --type voxgate.v1.DetectKnownFraudsters`,
    },
  ],
};

export const tutorials: readonly Tutorial[] = [developer, integrator, analyst];
