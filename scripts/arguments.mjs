// The command line of a script: `--help` is answered, and what the script does not know is named in one line, before anything is
// done. Only Node's own modules are used, because this runs before anything is installed.
import { parseArgs } from 'node:util';

/** The options and the rest, as parseArgs answers them. */
export function readArguments(help, options = {}, { allowPositionals = false } = {}) {
  if (helpIfAsked(help)) process.exit(0);
  try {
    return parseArgs({ options, allowPositionals });
  } catch (fault) {
    process.stderr.write(`${firstSentence(fault)}; --help names what there is\n`);
    process.exit(2);
  }
}

/** For scripts whose arguments are for somebody else. */
export function helpIfAsked(help) {
  const own = process.argv.slice(2);
  if (!own.some((argument) => argument === '--help' || argument === '-h')) return false;
  process.stdout.write(`${help.trim()}\n`);
  return true;
}

/** What follows in Node's words is about its own conventions. */
const firstSentence = ({ message }) => message.split(/\. |\n/)[0].replace(/\.$/, '');
