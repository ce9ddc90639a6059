// What a close frame can say: RFC 6455 leaves 123 bytes for it.
const BYTES_MAX = 123;
const CUT = '…';

/** As much of it as there is room for, in whole words. */
export function closeReason(text: string): string {
  if (Buffer.byteLength(text) <= BYTES_MAX) return text;
  const room = BYTES_MAX - Buffer.byteLength(CUT);
  let kept = '';
  for (const word of text.split(/(?<=\s)/)) {
    if (Buffer.byteLength((kept + word).trimEnd()) > room) break;
    kept += word;
  }
  return `${kept.trimEnd() || startOf(text, room)}${CUT}`;
}

/** Of one endless word. */
function startOf(text: string, room: number): string {
  let kept = '';
  for (const letter of text) {
    if (Buffer.byteLength(kept + letter) > room) break;
    kept += letter;
  }
  return kept;
}
