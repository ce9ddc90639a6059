// Passwords that attackers try first, as a rule instead of a long list: what is left of a password after undoing the usual
// disguises (case, digits for letters, numbers and signs at the ends) must not be a run, a repetition, or one or two of
// the words that head every published list. Composition rules are not used (NIST SP 800-63B-4 section 3.1.1.2).

/** Words and names that head the lists of leaked passwords, without their disguises. */
const words = new Set(
  (
    'password passwort passphrase passcode passw motdepasse contrasena wachtwoord secret secrets admin administrator ' +
    'root user username guest login logon letmein welcome hello changeme change default test testing temp temporary ' +
    'qwerty qwertz azerty asdf zxcv iloveyou love lovely sunshine princess dragon monkey football baseball soccer ' +
    'superman batman master shadow michael jordan jennifer jessica ashley daniel charlie thomas george summer winter ' +
    'spring autumn january february march april june july august september october november december monday tuesday ' +
    'wednesday thursday friday saturday sunday computer internet server system access trustno one please mustang ' +
    'starwars pokemon killer hunter flower freedom whatever company voxgate voice biometrics bank contact center ' +
    'account manager security secure private correcthorsebatterystaple abc abcd abcdef'
  ).split(' '),
);

const runs = [
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  '01234567890123456789',
];
const disguises: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
};
const REPEATED_UNIT_MAX = 8;

export function isCommonPassword(password: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase();
  if (new Set(plain).size < 5 || isRepetition(plain) || isRun(plain)) return true;
  // Numbers and signs at the ends are what people add to satisfy a rule.
  const core = plain.replace(/^[\W\d_]+|[\W\d_]+$/g, '');
  return [core, withoutSubstitutions(core)].some((text) => {
    const letters = text.replace(/[^\p{L}]/gu, '');
    return isRun(letters) || isRepetition(letters) || isWords(letters);
  });
}

function withoutSubstitutions(text: string): string {
  return [...text].map((each) => disguises[each] ?? each).join('');
}

/** One short piece repeated. */
function isRepetition(text: string): boolean {
  for (let unit = 1; unit <= REPEATED_UNIT_MAX && unit * 2 <= text.length; unit += 1) {
    const piece = text.slice(0, unit);
    if (piece.repeat(Math.ceil(text.length / unit)).startsWith(text)) return true;
  }
  return false;
}

/** Part of an alphabet, a keyboard row or the digits, in either direction. */
function isRun(text: string): boolean {
  if (text.length < 5) return false;
  const reversed = [...text].reverse().join('');
  return runs.some((run) => `${run}${run}`.includes(text) || `${run}${run}`.includes(reversed));
}

/** One or two of the common words, with nothing else. */
function isWords(letters: string): boolean {
  if (words.has(letters)) return true;
  for (let at = 2; at <= letters.length - 2; at += 1)
    if (words.has(letters.slice(0, at)) && words.has(letters.slice(at))) return true;
  return false;
}
