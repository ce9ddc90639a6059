// Shares as the program writes them: in percent, without a space, as is usual in English.

/**
 * Three significant digits, because error rates span several powers of ten; in columns a fixed number of
 * `digits` after the decimal point. The console parses these percentages in server messages, whatever the
 * language.
 */
export const percent = (share: number, digits?: number): string =>
  `${digits === undefined ? Number((100 * share).toPrecision(3)) : (100 * share).toFixed(digits)}%`;
