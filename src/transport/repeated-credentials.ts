// A request with two Authorization headers. Node keeps the first, and a proxy in front may have checked the second: the
// identity of the caller must not depend on who reads it, so such requests are refused (RFC 9110 section 5.3).

export const REPEATED_CREDENTIALS = 'the Authorization header is present more than once';

const NAME = 'authorization';

/** `rawHeaders`: names and values in turn, as they came. */
export function hasRepeatedCredentials(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    // The length first: this is looked at with every request.
    if (name.length === NAME.length && name.toLowerCase() === NAME) count += 1;
  }
  return count > 1;
}
