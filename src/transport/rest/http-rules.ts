// The HTTP bindings of a service, read from the google.api.http option of its methods.
import { getOption, hasOption, type DescMethod } from '@bufbuild/protobuf';
import { http } from '../../gen/google/api/annotations_pb.js';
import type { HttpRule } from '../../gen/google/api/http_pb.js';
import { parsePathTemplate, type PathTemplate } from './path-template.js';

export interface HttpBinding {
  httpMethod: string;
  template: PathTemplate;
  /** '*': the whole message; a field name: that field; undefined: no body. */
  body: string | undefined;
  /** The first binding of a method is the current one; the others are older paths or verbs. */
  primary: boolean;
}

export function httpBindings(method: DescMethod): HttpBinding[] {
  if (!hasOption(method, http)) return [];
  const rule = getOption(method, http);
  return [rule, ...rule.additionalBindings].map((one, index) => toBinding(method, one, index === 0));
}

function toBinding(method: DescMethod, rule: HttpRule, primary: boolean): HttpBinding {
  const { pattern } = rule;
  if (pattern.case === undefined || pattern.case === 'custom') {
    throw new Error(`${method.parent.typeName}.${method.name}: HTTP rule without a standard method`);
  }
  return {
    httpMethod: pattern.case.toUpperCase(),
    template: parsePathTemplate(pattern.value),
    body: rule.body === '' ? undefined : rule.body,
    primary,
  };
}
