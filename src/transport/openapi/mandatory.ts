// What a request must hold, read from the comments of the contract: `mandatory` without a condition.
import type { DescField, DescMessage, DescOneof } from '@bufbuild/protobuf';
import { descriptions } from '../../gen/descriptions.js';

export const CONTEXT = 'vendor.biosec.v1.Context';
export const IDENTIFIER = 'vendor.biosec.v1.UniqueId';

const conditional = /mandatory (?:if|for)\b|may be left out|not allowed with|unless/i;
const contextMembers = {
  gk_engagement_id: 'engagement',
  gk_session_id: 'session',
  gk_scope_id: 'tenant',
  configset_id: 'config set',
} as const;

export function commentOn({ parent, name }: { parent: DescMessage; name: string }): string {
  const key = `${parent.typeName}.${name}`;
  return Object.hasOwn(descriptions, key) ? (descriptions[key] ?? '') : '';
}

/** Of a oneof: exactly one of its members must be set. */
export function isMandatory(member: DescField | DescOneof): boolean {
  const comment = commentOn(member);
  return /\bmandatory\b/i.test(comment) && !conditional.test(comment);
}

/** The members of a context that the comment on it names, in proto names. */
export function mandatoryInContext(field: DescField): string[] {
  const comment = commentOn(field).toLowerCase();
  const [said = ''] = comment.split('mandatory');
  if (said === comment) return [];
  return Object.entries(contextMembers).flatMap(([name, word]) =>
    said.includes('all four') || said.includes(word) ? name : [],
  );
}
