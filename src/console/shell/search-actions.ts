// Everything that can be done in the console, by the words of its own tabs, dialogs and buttons, and the page
// where it is done. Actions on the page of one person, session or application lead to their list. A test
// visits all pages and searches for each of their words.
import { folded } from '../format/text.js';
import { t as account } from '../text/account.js';
import { t as accuracy } from '../text/accuracy.js';
import { t as alarmThresholds } from '../text/alarm-thresholds.js';
import { t as applications } from '../text/applications.js';
import { t as batches } from '../text/batches.js';
import { t as calls } from '../text/calls.js';
import { t as engagement } from '../text/engagement.js';
import { t as voiceSearch } from '../text/voice-search.js';
import { t as people } from '../text/people.js';
import { t as privacy } from '../text/privacy.js';
import { t as search } from '../text/search.js';
import { t as sessions } from '../text/sessions.js';
import { t as system } from '../text/system.js';
import { t as tenants } from '../text/tenants.js';
import { t as voice } from '../text/voice.js';
import { t as webhooks } from '../text/webhooks.js';

const catalogues = {
  account,
  accuracy,
  alarmThresholds,
  applications,
  batches,
  calls,
  engagement,
  voiceSearch,
  people,
  privacy,
  search,
  sessions,
  system,
  tenants,
  voice,
  webhooks,
};

export type Catalogues = typeof catalogues;
/** `also`: other words that people use for it. */
export type Action = readonly [label: string, to: string, also?: string];

/** The page, and the actions on it. */
type Doings = readonly (readonly [to: string, labels: readonly (string | readonly [string, string])[]])[];

const accountDoings = ({ account: { profile, ...of }, search: { also } }: Catalogues): Doings => [
  ['/profile', [profile.tabs.account, profile.saveName]],
  ['/profile?tab=credentials', [profile.tabs.credentials, of.credentials.add, of.credentials.newTitle]],
  ['/profile?tab=password', [profile.tabs.password, of.password.change]],
  [
    '/profile?tab=factors',
    [
      [profile.tabs.factors, also.factors],
      of.factors.codes,
      of.factors.renew,
      of.factors.renewTitle,
      of.factors.setUpTitle,
      of.passkeys.add,
      of.passkeys.addTitle,
    ],
  ],
  [
    '/profile?tab=sessions',
    [profile.tabs.sessions, of.sessions.everywhere, of.sessions.signOut, of.sessions.signOutTitle],
  ],
  ['/profile?tab=consents', [profile.tabs.consents, of.consents.withdraw]],
  [
    '/users',
    [
      of.users.add,
      of.users.disable,
      of.users.enable,
      of.users.password,
      of.users.resetFactors,
      of.users.signOut,
      of.users.credentials,
    ],
  ],
];

const accuracyDoings = ({ accuracy: of, alarmThresholds }: Catalogues): Doings => [
  ['/accuracy', [of.report.tab, of.report.countAgain, of.report.samePerson, of.source.own]],
  [
    '/accuracy?tab=thresholds',
    [
      of.threshold.tab,
      of.calibrations.shippedAction,
      of.calibrations.shippedTitle,
      of.callers.activate,
      of.callers.activateTitle,
      of.callers.allow,
      of.callers.allowTitle,
      of.callers.forbid,
      of.callers.measure,
      of.threshold.find,
      alarmThresholds.find,
      alarmThresholds.activate,
      alarmThresholds.activateTitle,
      alarmThresholds.back,
    ],
  ],
  ['/accuracy?tab=fairness', [of.fairness.tab, of.fairness.measure]],
  [
    '/accuracy?tab=revisions',
    [
      of.revisions.tab,
      of.revisions.activate,
      of.revisions.deleteTitle,
      of.revisions.replaceTitle,
      of.revisions.shadow,
      of.revisions.stopShadow,
    ],
  ],
];

const buildDoings = (of: Catalogues): Doings => [
  [
    '/applications',
    [
      of.applications.add,
      of.applications.application.addEnvironment,
      of.applications.application.delete,
      of.applications.application.environments,
      of.applications.application.members,
      of.applications.application.renameTitle,
      [of.applications.client.add, of.search.also.secret],
      of.applications.client.fetchToken,
      of.applications.client.unlock,
      of.applications.environment.delete,
      ...Object.values(of.applications.environment.tabs),
      of.applications.members.add,
      of.applications.tenantTab.grant,
      of.applications.tenantTab.revoke,
    ],
  ],
  [
    '/webhooks',
    [
      of.webhooks.add,
      of.webhooks.delete,
      of.webhooks.editTitle,
      of.webhooks.ping,
      of.webhooks.replayAction,
      of.webhooks.resendDead,
      [of.webhooks.rotateTitle, of.search.also.secret],
      of.webhooks.rotate,
      of.webhooks.turnOffTitle,
    ],
  ],
  [
    '/engagement',
    [
      of.engagement.tabs.clients,
      of.engagement.client.lock,
      of.engagement.client.register,
      of.engagement.client.registerTitle,
      of.engagement.client.unlock,
    ],
  ],
  [
    '/engagement?tab=sites',
    [
      of.engagement.tabs.sites,
      ...Object.values(of.engagement.site.tabs),
      of.engagement.agents.new,
      of.engagement.availability.again,
      of.engagement.groups.new,
      of.engagement.hours.new,
      of.engagement.site.new,
      of.engagement.units.new,
    ],
  ],
];

const peopleDoings = ({ people: of, privacy, search: { also } }: Catalogues): Doings => [
  [
    '/people',
    [
      of.person.title,
      of.person.add,
      [of.party.begin, also.enroll],
      [of.party.erase, also.erase],
      of.party.optIn,
      [of.party.optOut, also.optOut],
      of.person.delete,
      of.profile.addRecording,
      of.profile.delete,
      of.profile.lockTitle,
      of.profile.train,
      of.profile.unlock,
      of.rest.action,
      of.rest.title,
      of.stay.eraseInstead,
      [privacy.title, also.erase],
      [privacy.export, also.privacy],
      [privacy.placeHold, also.hold],
      privacy.liftHold,
      privacy.certificate,
    ],
  ],
  ['/people?tab=fraudsters', [of.fraudster.title, of.fraudster.add, of.fraudster.delete]],
  ['/people?tab=groups', [of.group.title, of.group.add, of.group.delete]],
  [
    '/people?tab=watchlists',
    [of.watchlist.title, of.watchlist.add, of.watchlist.delete, of.watchlistField.create],
  ],
];

const callDoings = (of: Catalogues): Doings => [
  [
    '/sessions',
    [
      of.sessions.tabs.sessions,
      of.sessions.case.assign,
      of.sessions.case.take,
      of.sessions.case.title,
      of.sessions.check.title,
      of.sessions.next.attacks,
      of.sessions.list.exportSelected,
      of.sessions.next.note,
      of.sessions.next.toKnown,
      of.sessions.next.watchlist,
      of.sessions.outcome.listed.remove,
      [of.sessions.session.record, of.search.also.outcome],
    ],
  ],
  ['/sessions?tab=cases', [of.sessions.tabs.cases, of.sessions.case.mine, of.sessions.case.assign]],
  ['/sessions?tab=audit', [of.sessions.tabs.audit, of.sessions.audit.verify]],
  ['/sessions?tab=system', [of.sessions.tabs.system]],
  ['/calls', [of.calls.end, of.calls.trial.title, of.calls.trial.begin]],
  ['/voice-search', [of.voiceSearch.fraudster.tab, of.voiceSearch.listen, of.voiceSearch.search]],
  ['/voice-search?tab=voices', [of.voiceSearch.voices.tab, of.voiceSearch.voices.add]],
  ['/voice-search?tab=searches', [of.voiceSearch.searches.tab, of.voiceSearch.searches.show]],
  ['/voice-search?tab=settings', [of.voiceSearch.settings.tab, of.voiceSearch.settings.save]],
  ['/voice', [of.voice.tabs.verify, of.voice.enroll.addAnother, of.voice.verify.connect]],
  ['/voice?tab=identify', [of.voice.tabs.identify]],
  ['/voice?tab=watchlist', [of.voice.tabs.watchlist]],
  ['/voice?tab=attacks', [of.voice.tabs.attacks]],
  ['/voice?tab=digits', [of.voice.tabs.digits, of.voice.digits.settings.save]],
];

const operateDoings = (of: Catalogues): Doings => [
  ['/batches', [of.batches.start, of.batches.cancel, of.batches.startReal]],
  ['/system', [[of.system.keys.rotate, of.search.also.rotate]]],
  ['/tenants', [of.tenants.add, of.tenants.keep]],
];

export function actionsIn(of: Catalogues = catalogues): Action[] {
  const all = [accountDoings, accuracyDoings, buildDoings, peopleDoings, callDoings, operateDoings];
  const found = all
    .flatMap((doings) => doings(of))
    .flatMap(([to, labels]) =>
      labels.map((label): Action => (typeof label === 'string' ? [label, to] : [label[0], to, label[1]])),
    );
  // A dialog often has the same name as the button that opens it.
  return [...new Map(found.map((action) => [`${action[1]} ${action[0]}`, action])).values()];
}

/** Shorter input is meant for something else. */
const LETTERS_MIN = 3;

const wordsIn = (text: string): string[] =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Matches whole words, or their beginnings. */
export function actionsFor(typed: string, actions: readonly Action[]): Action[] {
  const words = wordsIn(typed);
  if (words.join('').length < LETTERS_MIN) return [];
  return actions.filter(([label, , also = '']) => {
    const known = wordsIn(`${label} ${also}`);
    return words.every((word) => known.some((one) => one.startsWith(word)));
  });
}
