// English: the search over everything.
import { many } from '../tools.js';

/** `also`: what else people call it. */
const places: readonly (readonly [label: string, to: string, also?: string])[] = [
  ['Persons', '/people'],
  ['Fraudsters', '/people?tab=fraudsters'],
  ['Groups', '/people?tab=groups'],
  ['Watchlists', '/people?tab=watchlists'],
  ['Audit trail', '/sessions?tab=audit'],
  ['Installation audit', '/sessions?tab=system'],
  ['Thresholds', '/accuracy?tab=thresholds'],
  ['Shadow mode', '/accuracy?tab=revisions', 'compare revisions'],
  ['Identify a voice', '/voice?tab=identify'],
  ['Check a voice against a watchlist', '/voice?tab=watchlist'],
  ['Synthetic speech and playback', '/voice?tab=attacks'],
  ['Sites, agents and hours', '/engagement?tab=sites'],
  ['Signing keys', '/system'],
  ['Tooling credentials', '/profile?tab=credentials'],
  ['Change password', '/profile?tab=password'],
  ['Active sessions', '/profile?tab=sessions'],
  ['Programs with access', '/profile?tab=consents'],
  ['Language', '/profile'],
];

export const text = {
  title: 'Find anything',
  label: 'Search',
  hint: 'A page, a person, a number, a case, a session, a list, an application, a setting, or a word to have explained.',
  results: 'Results',
  count: (count: number) => many(count, '# result', '# results'),
  searching: 'Searching …',
  slow: 'Still searching. The first search after the server has started takes a few seconds.',
  none: 'Nothing found. Try a shorter part of the name.',
  kinds: {
    page: 'Page',
    action: 'Action',
    help: 'Help',
    person: 'Person',
    fraudster: 'Fraudster',
    session: 'Session',
    group: 'Group',
    watchlist: 'Watchlist',
    application: 'Application',
    site: 'Site',
  },
  places,
  /** What else people call an action. */
  also: {
    factors: 'second factor two factor authentication 2FA MFA authenticator TOTP security key',
    secret: 'rotate secret key client credentials',
    rotate: 'renew change keys JWKS',
    enroll: 'enroll register voice',
    erase: 'erasure delete data forget GDPR right to be forgotten privacy',
    privacy: 'subject access request GDPR data portability download ZIP',
    hold: 'legal hold evidence litigation keep',
    optOut: 'objection withdraw consent',
    outcome: 'verdict fraud genuine confirmed',
    theme: 'dark mode light mode night appearance colors contrast',
    signOut: 'log out logout log off leave',
  },
};
