// English: what is stored about a person, evidence holds, and certificates of erasure.
import { many } from '../tools.js';

export const text = {
  title: 'Data protection',
  export: 'Export all data',
  exporting: 'The download has begun.',
  noHold: 'No hold is in place.',
  wouldKeep: 'An erasure would keep:',
  placeHold: 'Place hold',
  placeTitle: (id: string) => `Place a hold on ${id}`,
  placeText: 'All recordings, and those to come, are kept until the hold ends, even if the person is erased.',
  reason: 'Reason',
  reasonHint: 'Such as the number of a case.',
  until: 'Last day',
  untilHint: 'Empty: until somebody lifts it.',
  placed: 'Hold placed.',
  liftHold: 'Lift hold',
  liftText: (reason: string) =>
    `Reason of the hold: ${reason}. Recordings of erased persons that nothing else keeps are deleted at once.`,
  lifted: 'Hold lifted.',
  holds: 'Holds',
  why: 'Reason',
  by: 'Placed by',
  since: 'Since',
  ends: 'Until',
  open: 'it is lifted',
  onRecording: 'one recording',
  counted: (recordings: number, prints: number, kept: number) =>
    `${many(recordings, '# recording', '# recordings')} and ${many(prints, '# voiceprint', '# voiceprints')} deleted, ${many(kept, '# recording', '# recordings')} kept.`,
  /** `{place}` is a link to the audit trail. */
  proof: (name: string, time: string) =>
    `Erased on ${time} at the request of ${name}. Proof: record {place} of the audit trail.`,
  /** Something of the person came or was released after an earlier erasure. */
  proofAlone: (time: string) =>
    `Erased on ${time} by the earlier request. Proof: record {place} of the audit trail.`,
  certificate: 'Download certificate',
};
