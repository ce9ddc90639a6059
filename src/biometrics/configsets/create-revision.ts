// CreateConfigset and CreateTemplate: a new revision of a named set of parameters. Revisions never change;
// a new one is SAVED or, when validation was asked for, VALIDATED. Templates are validated and active at once.
import { invalidFields, missingChoice, notFound, type FieldFault } from '../../errors.js';
import { type AuditDetail } from '../../audit/model.js';
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openTenant, type RequestContext } from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { Faults } from '../call/limits.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { factoryTemplates } from './factory-templates.js';
import type { ConfigsetRevision, ConfigsetType } from '../model/configsets.js';
import { validateDocument } from './validate.js';
import { say } from '../../words/server/say.js';
import type { AuditAct } from '../../words/audit/english.js';

/** Where the parameters come from; exactly one (docs/reference/voiceprint-management.md#config-sets). */
export type ConfigsetSource =
  | { kind: 'document'; content: string }
  | { kind: 'template'; templateId: string }
  | { kind: 'configset'; configsetId: string };

interface CreateRevisionInput {
  context: RequestContext;
  configsetId: string;
  type?: ConfigsetType;
  description: string;
  source?: ConfigsetSource;
  performValidation: boolean;
}

const REVISIONS_MAX = 500;

/** The members that may carry the content, by how the revision is named. */
const contentMembers = {
  configset_id: ['raw_content', 'configset_object', 'source_template_id', 'source_configset_id'],
  template_id: ['raw_content', 'configset_object'],
} as const;

export async function createConfigset(
  deps: BiometricsDeps,
  call: Call,
  input: CreateRevisionInput,
): Promise<string> {
  const gkScopeId = await checkInput(deps, call, input, 'configset_id');
  const content = await contentOf(deps, gkScopeId, input.source);
  const validation = input.performValidation ? validateDocument(content) : undefined;
  if (validation && !validation.ok) throw invalidFields(validation.faults.map(inContent));
  return deps.store.transaction(async (tx) => {
    const state = validation ? 'VALIDATED' : 'SAVED';
    return insertRevision(
      deps,
      tx,
      call,
      newRevision(input, { gkScopeId, content, configClass: 'CONFIGSET', state }),
    );
  });
}

export async function createTemplate(
  deps: BiometricsDeps,
  call: Call,
  input: CreateRevisionInput,
): Promise<string> {
  const gkScopeId = await checkInput(deps, call, input, 'template_id');
  const content = await contentOf(deps, gkScopeId, input.source);
  const validation = validateDocument(content);
  if (!validation.ok) throw invalidFields(validation.faults.map(inContent));
  return deps.store.transaction(async (tx) => {
    const previous = await tx.configsets.takeActive(gkScopeId, 'TEMPLATE', input.configsetId);
    if (previous)
      await tx.configsets.update({ ...previous, state: 'INACTIVE', modifiedAtMs: deps.clock.now() });
    return insertRevision(
      deps,
      tx,
      call,
      newRevision(input, { gkScopeId, content, configClass: 'TEMPLATE', state: 'ACTIVE' }),
    );
  });
}

async function checkInput(
  deps: BiometricsDeps,
  call: Call,
  input: CreateRevisionInput,
  idField: keyof typeof contentMembers,
): Promise<string> {
  const faults = new Faults()
    .id(idField, input.configsetId)
    .required('type', input.type)
    .text('details.description', input.description);
  if (!input.source) for (const fault of missingChoice(contentMembers[idField])) faults.add(fault);
  return openTenant(deps, call, input.context, faults.found);
}

type NewRevision = Omit<
  ConfigsetRevision,
  'gkConfigsetRevisionId' | 'createdBy' | 'updatedBy' | 'createdAtMs' | 'modifiedAtMs'
>;

function newRevision(
  { configsetId, type, description }: CreateRevisionInput,
  rest: Pick<ConfigsetRevision, 'gkScopeId' | 'content' | 'configClass' | 'state'>,
): NewRevision {
  return { ...rest, configsetId, type: type ?? 'OPERATIONAL', description };
}

/** Returns the ID of the revision. */
async function insertRevision(
  deps: BiometricsDeps,
  tx: BiometricsTransaction,
  call: Call,
  made: NewRevision,
): Promise<string> {
  const { gkScopeId, configClass, configsetId } = made;
  const known = await tx.configsets.list(gkScopeId, configClass, { configsetId });
  if (known.length >= REVISIONS_MAX) {
    throw invalidFields([
      {
        field: 'configset_id',
        violation: 'TOO_LONG',
        ...say('TOO_MANY_REVISIONS', { max: REVISIONS_MAX }),
      },
    ]);
  }
  const now = deps.clock.now();
  const revision: ConfigsetRevision = {
    ...made,
    gkConfigsetRevisionId: deps.ids.uuid(),
    createdBy: call.caller.subject,
    updatedBy: call.caller.subject,
    createdAtMs: now,
    modifiedAtMs: now,
  };
  await tx.configsets.insert(revision);
  await auditConfigset(
    tx,
    call,
    revision,
    configClass === 'CONFIGSET' ? 'CreateConfigset' : 'CreateTemplate',
  );
  return revision.gkConfigsetRevisionId;
}

async function contentOf(
  deps: BiometricsDeps,
  gkScopeId: string,
  source: ConfigsetSource | undefined,
): Promise<string> {
  switch (source?.kind) {
    case 'template': {
      const own = await deps.store.read.configsets.findActive(gkScopeId, 'TEMPLATE', source.templateId);
      if (own) return own.content;
      const factory = factoryTemplates.find(
        ({ templateId }) => templateId.toLowerCase() === source.templateId.toLowerCase(),
      );
      if (!factory) throw notFound('template', 'source_template_id');
      return JSON.stringify(factory.overrides);
    }
    case 'configset': {
      const active = await deps.store.read.configsets.findActive(gkScopeId, 'CONFIGSET', source.configsetId);
      if (!active) throw notFound('ACTIVE revision of this config set', 'source_configset_id');
      return active.content;
    }
    case 'document':
    case undefined:
      return source?.content ?? '{}';
  }
}

/** Parameters are named relative to the content, so that the caller finds them in the document. */
export function inContent(fault: FieldFault): FieldFault {
  return fault.field === 'content' ? fault : { ...fault, field: `content.${fault.field}` };
}

export async function auditConfigset(
  tx: BiometricsTransaction,
  call: Call,
  revision: ConfigsetRevision,
  operation: AuditAct,
  /** Further details. */
  more?: AuditDetail,
): Promise<void> {
  await audit(tx, call, {
    type: 'SCOPE_EVENT',
    operation,
    gkScopeId: revision.gkScopeId,
    configsetId: revision.configsetId,
    subjects: [revision.gkConfigsetRevisionId],
    detail: {
      configsetId: revision.configsetId,
      configsetRevisionId: revision.gkConfigsetRevisionId,
      state: revision.state,
      type: revision.type,
      ...more,
    },
  });
}
