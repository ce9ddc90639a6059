// English: what is held about a person, evidence holds, and certificates of erasure.
import { many, num } from '../tools.js';

export const text = {
  title: 'Data protection',
  export: 'Export everything held',
  exporting: 'The download has begun.',
  noHold: 'Nothing is held as evidence.',
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
    `Held for: ${reason}. Recordings of erased persons that nothing else keeps are deleted at once.`,
  lifted: 'Hold lifted.',
  holds: 'Holds',
  why: 'Reason',
  by: 'Placed by',
  since: 'Since',
  ends: 'Until',
  open: 'it is lifted',
  onRecording: 'one recording',
  counted: (recordings: number, prints: number, kept: number) =>
    `${many(recordings, '# recording', '# recordings')} and ${many(prints, '# voiceprint', '# voiceprints')} deleted, ${num(kept)} kept.`,
  /** `{place}` is a link to the audit trail. */
  proof: (name: string) => `Asked for by ${name}. Proof: record {place} of the audit trail.`,
  proofAlone: 'It ran by itself. Proof: record {place} of the audit trail.',
  certificate: 'Download certificate',
};
