// Forms and queries of the OAuth endpoints are read by hand, because a token request is mostly that; what comes out must be what
// the standard's reader makes of them.
import { describe, expect, it } from 'vitest';
import { readParameters } from '../../src/transport/routes/oauth/http.js';

describe('a form', () => {
  it.each([
    'grant_type=client_credentials&scope=asr%20nlu',
    'scope=asr+nlu&state=a%2Bb',
    'a=1&&b=2&',
    'a=b=c&d',
    '=nameless',
    'a%20b=c%26d&%C3%A9=%E2%82%AC',
    'bad=%&worse=%zz&cut=%C3&half=%E2%82&mixed=%41%FF+%',
    'unicode=äöü',
    'plus%2B=+%2B+',
    '',
  ])('%j is read as the standard says', (text) => {
    const standard = [...new URLSearchParams(text)].filter(([, value]) => value !== '');
    expect([...readParameters(text)]).toEqual(standard);
  });

  it.each(['a=1&a=2', 'a=1&%61=2', 'a=&a=1', 'a&a'])('%j is refused: a parameter is repeated', (text) => {
    expect(() => readParameters(text)).toThrow('a parameter is repeated');
  });

  it('with too many parameters is refused, empty ones included', () => {
    const many = Array.from({ length: 65 }, (_, index) => `p${index}=${index % 2 === 0 ? '' : 'x'}`).join(
      '&',
    );
    expect(() => readParameters(many)).toThrow('too many parameters');
  });
});
