// English: further texts that several pages share.
import { text as people } from './people.js';
import { text as records } from './records.js';
import { text as voice } from './voice.js';
import { text as privacy } from './privacy.js';
import { text as voiceSearch } from './voice-search.js';

export const text = {
  people,
  records,
  voice,
  privacy,
  voiceSearch,
};
