// Shares as the program writes them: in percent, without a space, as English does.

/**
 * Three significant digits, because rates of errors reach over several powers of ten; in columns so many `digits` behind the point.
 * The console reads what the server says with it, in whichever language.
 */
export const percent = (share: number, digits?: number): string =>
  `${digits === undefined ? Number((100 * share).toPrecision(3)) : (100 * share).toFixed(digits)}%`;
