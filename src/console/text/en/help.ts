// English: the help pages.

export const text = {
  title: 'Help',
  about: 'The guides and the reference of this version. Ctrl-K finds pages, settings and what a word means.',
  folders: { guides: 'Guides', reference: 'Reference' },
  api: 'API reference: every operation, with samples to try',
  language: '',
  missing: 'There is no such guide',
};
