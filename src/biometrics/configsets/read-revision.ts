// Reads config sets and templates; the factory's own templates are listed next to those of the tenant.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { builtInSet, builtInSets, shippedRevision } from '../model/built-in-configsets.js';
import { revisionOrThrow } from './change-revision.js';
import { factoryTemplates } from './factory-templates.js';
import type { ConfigClass, ConfigsetRevision, ConfigsetState } from '../model/configsets.js';

export async function listRevisions(
  deps: BiometricsDeps,
  call: Call,
  input: {
    context: RequestContext;
    configClass: ConfigClass;
    configsetId?: string;
    states?: readonly ConfigsetState[];
  },
): Promise<ConfigsetRevision[]> {
  const gkScopeId = await openTenant(deps, call, input.context);
  const { configsetId, states } = input;
  const stored = await deps.store.read.configsets.list(gkScopeId, input.configClass, {
    ...(configsetId && { configsetId }),
    ...(states && { states }),
  });
  const shipped =
    input.configClass === 'TEMPLATE'
      ? factoryTemplates.map((template) => factoryRevision(gkScopeId, template))
      : builtInSets(gkScopeId);
  const wanted = shipped.filter(
    (revision) =>
      (!configsetId || revision.configsetId.toLowerCase() === configsetId.toLowerCase()) &&
      (!states?.length || states.includes(revision.state)) &&
      !stored.some(
        (own) =>
          own.configsetId.toLowerCase() === revision.configsetId.toLowerCase() && own.state === 'ACTIVE',
      ),
  );
  return [...stored, ...wanted];
}

export async function getActiveRevision(
  deps: BiometricsDeps,
  call: Call,
  input: { context: RequestContext; configClass: ConfigClass; configsetId: string },
): Promise<ConfigsetRevision> {
  const idField = input.configClass === 'CONFIGSET' ? 'configset_id' : 'template_id';
  const faults = new Faults().required(idField, input.configsetId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  const own = await deps.store.read.configsets.findActive(gkScopeId, input.configClass, input.configsetId);
  if (own) return own;
  const template = factoryTemplates.find(
    ({ templateId }) => templateId.toLowerCase() === input.configsetId.toLowerCase(),
  );
  const found =
    input.configClass === 'CONFIGSET'
      ? builtInSet(gkScopeId, input.configsetId)
      : template && factoryRevision(gkScopeId, template);
  if (!found)
    throw notFound(
      input.configClass === 'CONFIGSET' ? 'ACTIVE revision of this config set' : 'template',
      idField,
    );
  return found;
}

export async function getRevision(
  deps: BiometricsDeps,
  call: Call,
  input: { context: RequestContext; gkConfigsetRevisionId: string },
): Promise<ConfigsetRevision> {
  const faults = new Faults().required('gk_configset_revision_id', input.gkConfigsetRevisionId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  return revisionOrThrow(deps.store.read.configsets, gkScopeId, input.gkConfigsetRevisionId);
}

function factoryRevision(gkScopeId: string, template: (typeof factoryTemplates)[number]): ConfigsetRevision {
  return shippedRevision(gkScopeId, {
    configsetId: template.templateId,
    type: 'OPERATIONAL',
    configClass: 'TEMPLATE',
    content: JSON.stringify(template.overrides),
    description: template.description,
  });
}
