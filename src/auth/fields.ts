// Checks of single values that the management operations share.
import unhomoglyph from 'unhomoglyph';
import { idFault, type FieldFault, type IdRule } from '../errors.js';
import type { TenantGrant } from './model.js';
import { isTenantRole, tenantRoles } from './roles.js';
import { say } from '../words/server/say.js';

const NAME_LENGTH_MAX = 128;
const TENANTS_MAX = 256;
/**
 * Characters that could make a name look like another: invisible ones, including fillers and the Braille
 * blank.
 */
const invisiblePattern = /[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Some scripts need such characters after one that they modify: joiners and variation selectors. */
const neededPattern =
  /(?<=[^\p{ASCII}\u200c\u200d])[\u200c\u200d](?=\S)|(?<=\p{Extended_Pictographic})\ufe0f|(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]|(?<=\p{Script=Mongolian})[\u180b-\u180d\u180f]/gu;

/** Combining marks without a base character. */
const marksPattern = /^[\p{M}\s]+$/u;

/** In one word, letters of these scripts are good for nothing but to look like one of the others (Unicode TR 39). */
const lookalikeScripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];

const isMixed = (word: string): boolean => lookalikeScripts.filter((script) => script.test(word)).length > 1;

/** A name that people read: not empty, not endless, and not misleading. */
export function displayNameFault(field: string, value: string): FieldFault | undefined {
  if (value.trim() === '') return { field, violation: 'MANDATORY_FIELD_MISSING', ...say('MANDATORY') };
  if (value.length > NAME_LENGTH_MAX) {
    return { field, violation: 'TOO_LONG', ...say('TOO_MANY_CHARACTERS', { max: NAME_LENGTH_MAX }) };
  }
  if (marksPattern.test(value)) return { field, violation: 'INVALID_FORMAT', ...say('ONLY_COMBINING_MARKS') };
  if (value.split(/[^\p{L}\p{M}]+/u).some(isMixed))
    return {
      field,
      violation: 'INVALID_FORMAT',
      ...say('MIXED_ALPHABETS'),
    };
  if (invisiblePattern.test(value.replace(neededPattern, ''))) {
    return { field, violation: 'INVALID_FORMAT', ...say('MISLEADING_CHARACTERS') };
  }
  return undefined;
}

const ownNames = /^(console|voxgate.*)$/;

/**
 * A name as people see it: only letters and digits, each as the Latin one that it is taken for (Unicode TR 39). Signs are
 * overlooked, or taken for a letter as well: Con|sole, Conso|e.
 */
function looksOf(name: string): string[] {
  const whole = name.normalize('NFKD');
  return [whole, unhomoglyph(whole)].map((text) =>
    unhomoglyph(unhomoglyph(text.replace(/[^\p{L}\p{N}]/gu, '')).toLowerCase()),
  );
}

/** The name of an application, which people read when they are asked to grant it access. */
export function applicationNameFault(field: string, value: string): FieldFault | undefined {
  if (!looksOf(value).some((looks) => ownNames.test(looks))) return displayNameFault(field, value);
  return { field, violation: 'INVALID_FORMAT', ...say('LOOKS_LIKE_SERVER') };
}

const identifierRule: IdRule = {
  lengthMax: 128,
  pattern: /^[\x21-\x7e]*$/,
  said: say('NOT_PRINTABLE'),
};

export const identifierFault = (field: string, value: string): FieldFault | undefined =>
  idFault(field, value, identifierRule);

export function listFaults(
  field: string,
  values: readonly string[],
  max: number,
  each: (field: string, value: string) => FieldFault | undefined,
): Array<FieldFault | undefined> {
  if (values.length > max) return [{ field, violation: 'TOO_LONG', ...say('TOO_MANY_ENTRIES', { max }) }];
  return values.map((value, index) => each(`${field}[${index}]`, value));
}

export function tenantRoleFaults(
  field: string,
  grants: readonly TenantGrant[],
): Array<FieldFault | undefined> {
  const ids = grants.map(({ tenantId }) => tenantId);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  return [
    ...listFaults(field, ids, TENANTS_MAX, identifierFault),
    ...grants.map(({ role }, index): FieldFault | undefined =>
      isTenantRole(role)
        ? undefined
        : {
            field: `${field}[${index}].role`,
            violation: 'INVALID_FORMAT',
            ...say('NOT_ONE_OF', { known: tenantRoles.join(', ') }),
          },
    ),
    twice < 0
      ? undefined
      : { field: `${field}[${twice}]`, violation: 'FIELD_CONFLICT', ...say('TENANT_TWICE') },
  ];
}
