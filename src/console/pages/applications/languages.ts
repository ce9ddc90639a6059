// Languages of models, as URNs and parameter files name them.

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
