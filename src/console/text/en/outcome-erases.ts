// English: what another outcome deletes, where the rest of an erased person was only kept as evidence; and what it leaves.
const GOES =
  'the recordings and scores of that person are deleted at once, and with them the calling number, case number, note and references';
const STAYS_IF_GENUINE =
  'Recordings on legal hold and those in which another person was recognized stay; those from which a fraudster’s voiceprint was made stay until that voiceprint is deleted. This cannot be undone.';
const STAYS_OTHERWISE =
  'Recordings on legal hold stay, and so does everything of a call in which another person or a known fraudster was recognized, or from which a fraudster’s voiceprint was made. This cannot be undone.';
const OF_ONE = `The personal data of a person in this engagement was erased, and the rest is only kept as evidence of fraud. With this outcome ${GOES}.`;
const OF_MANY = `If the personal data of a person was erased and the rest is kept only as evidence of fraud, ${GOES} with this outcome.`;

export const outcomeErases = {
  /** To be typed where something is lost. */
  word: 'delete',
  erases: { genuine: `${OF_ONE} ${STAYS_IF_GENUINE}`, otherwise: `${OF_ONE} ${STAYS_OTHERWISE}` },
  mayErase: { genuine: `${OF_MANY} ${STAYS_IF_GENUINE}`, otherwise: `${OF_MANY} ${STAYS_OTHERWISE}` },
  /** `{fraudsters}` are links. */
  staysListed:
    'A fraudster’s voiceprint was made from this call: {fraudsters}. With this outcome the voice stays on the watchlist and raises alarms until that fraudster or the voiceprint is deleted.',
  staysListedMany:
    'Fraudsters’ voiceprints were made from these calls: {fraudsters}. With this outcome the voices stay on the watchlist and raise alarms until those fraudsters or the voiceprints are deleted.',
  isListed:
    'Judged as genuine, but a fraudster’s voiceprint was made from this call: {fraudsters}. The voice stays on the watchlist and raises alarms, and the recording is kept for it, until that fraudster or the voiceprint is deleted.',
};
