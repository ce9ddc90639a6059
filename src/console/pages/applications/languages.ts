// Languages of models, as spelled in URNs and parameter files.

export const languages = [
  'eng-USA',
  'eng-GBR',
  'deu-DEU',
  'fra-FRA',
  'spa-ESP',
  'spa-USA',
  'ita-ITA',
  'por-BRA',
  'nld-NLD',
  'jpn-JPN',
];
