// English: what another outcome deletes, where the rest of an erased person was only kept as evidence.
export const outcomeErases = {
  /** To be typed where something is lost. */
  word: 'delete',
  erases: {
    genuine:
      'The personal data of a person in this engagement was erased, and the rest is only kept as evidence of fraud. With this outcome the recordings and scores of that person are deleted at once, except recordings on legal hold and those in which another person was recognized. This cannot be undone.',
    otherwise:
      'The personal data of a person in this engagement was erased, and the rest is only kept as evidence of fraud. With this outcome the recordings and scores of that person are deleted at once, except recordings on legal hold and those in which another person or a known fraudster was recognized. This cannot be undone.',
  },
  mayErase: {
    genuine:
      'If the personal data of a person was erased and the rest is kept only as evidence of fraud, the recordings and scores of that person are deleted at once with this outcome, except recordings on legal hold and those in which another person was recognized. This cannot be undone.',
    otherwise:
      'If the personal data of a person was erased and the rest is kept only as evidence of fraud, the recordings and scores of that person are deleted at once with this outcome, except recordings on legal hold and those in which another person or a known fraudster was recognized. This cannot be undone.',
  },
};
