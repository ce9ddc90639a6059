// Whatever the console calls a tab, a dialog or a button, in either language, the search over everything leads to the page where it is.
import { beforeAll, describe, expect, it } from 'vitest';
import { actionsFor, actionsIn, type Catalogues } from '../../src/console/shell/search-actions.js';
import { consoleWords, type Word } from './console-words.js';
import { registeredPages } from './registered-pages.js';

/** Where the pages of a folder are, where that is not their name. */
const addresses: Readonly<Record<string, readonly string[]>> = { account: ['/profile', '/users'] };

/** Words that say nothing without what stands beside them, or that are no action on anything. */
const alone = new Set(
  [
    'account.factors.download account.factors.remove account.passkeys.remove account.passkeys.rename',
    'accuracy.shadow.refresh applications.application.rename applications.environment.rename applications.members.remove',
    'calls.trial.hangUp',
    'applications.urns.parseAction home.checklist.hide people.collection.remove people.segments.remove shell.delete shell.edit',
    'shell.exportJson shell.more tenants.open tenants.rename voice.capture.mixed voice.enroll.done voice.enroll.remove voice.enroll.startOver',
    'voice.result.show voice.verify.session webhooks.edit',
  ].flatMap((names) => names.split(' ')),
);

const nameOf = ({ catalogue, path }: Word): string => [catalogue, ...path].join('.');
const words = [...new Map(consoleWords().map((word) => [`${word.area} ${nameOf(word)}`, word])).values()];
const sections = [...new Set([...words.map(({ catalogue }) => catalogue), 'search'])];

const camelCase = (name: string): string =>
  name.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());

type Section = Record<string, unknown>;

async function catalogueOf(language: 'en' | 'de'): Promise<Map<string, Section>> {
  const loaded = sections.map(async (name) => {
    const module = (await import(`../../src/console/text/${language}/${name}.ts`)) as { text: Section };
    return [name, module.text] as const;
  });
  return new Map(await Promise.all(loaded));
}

const memberOf = (of: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => (at as Section | undefined)?.[name], of);

describe.each(['en', 'de'] as const)('the search in %s', (language) => {
  let catalogue: Map<string, Section>;
  beforeAll(async () => {
    catalogue = await catalogueOf(language);
  });
  const actions = () => {
    const all = [...catalogue].map(([name, texts]) => [camelCase(name), texts]);
    return actionsIn(Object.fromEntries(all) as unknown as Catalogues);
  };

  it.each(
    words.filter((word) => !alone.has(nameOf(word))).map((word) => [word.area, nameOf(word), word] as const),
  )('leads to %s by %s', (area, _name, word) => {
    const label = memberOf(catalogue.get(word.catalogue), word.path);
    // Of a text that names what it is about, the words around that are in others.
    if (typeof label !== 'string') return;
    const wanted = addresses[area] ?? [`/${area}`];
    const found = actions()
      .filter(([one]) => one === label)
      .map(([, to]) => to.split('?')[0]);
    expect(wanted.filter((to) => found.includes(to))).not.toEqual([]);
    expect(actionsFor(label, actions()).map(([one]) => one)).toContain(label);
  });

  it.each(
    language === 'en'
      ? [
          ['two-step', '/profile?tab=factors'],
          ['second factor', '/profile?tab=factors'],
          ['2fa', '/profile?tab=factors'],
          ['erase', '/people'],
          ['gdpr', '/people'],
          ['opt out', '/people'],
          ['rotate', '/system'],
          ['rotate secret', '/webhooks'],
          ['turn off webhook', '/webhooks'],
        ]
      : [
          ['zwei schritt', '/profile?tab=factors'],
          ['zweiter faktor', '/profile?tab=factors'],
          ['DSGVO', '/people'],
          ['widersprechen', '/people'],
          ['rotieren', '/system'],
          ['Webhook ausschalten', '/webhooks'],
        ],
  )('finds %s at %s', (typed, to) => {
    expect(actionsFor(typed, actions()).map(([, one]) => one)).toContain(to);
  });
});

describe('actions', () => {
  it('are not in the way of somebody who has typed two letters', () => {
    expect(actionsFor('er', actionsIn())).toEqual([]);
    expect(actionsFor('era', actionsIn())).not.toEqual([]);
  });

  it('are no questions', () => {
    expect(actionsIn().filter(([label]) => label.endsWith('?'))).toEqual([]);
  });

  it('all lead to a page that there is', () => {
    const known = new Set(registeredPages.map(({ path }) => path));
    expect(known.size).toBeGreaterThan(10);
    for (const [, to] of actionsIn()) expect(known).toContain(to.split('?')[0]);
  });
});
