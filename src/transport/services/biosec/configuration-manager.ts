// ConfigurationManager: config sets and templates.
import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  activateRevision,
  deleteConfigset,
  deleteRevision,
  updateConfigsetDetails,
  validateRevision,
} from '../../../biometrics/configsets/change-revision.js';
import {
  createConfigset,
  createTemplate,
  type ConfigsetSource,
} from '../../../biometrics/configsets/create-revision.js';
import { factoryTemplates } from '../../../biometrics/configsets/factory-templates.js';
import type {
  ConfigsetRevision,
  ConfigsetState,
  ConfigsetType as TypeWord,
} from '../../../biometrics/model/configsets.js';
import {
  getActiveRevision,
  getRevision,
  listRevisions,
} from '../../../biometrics/configsets/read-revision.js';
import { configsetSchema } from '../../../biometrics/configsets/schema.js';
import type { RequestContext } from '../../../biometrics/call/context.js';
import type { BiometricsDeps } from '../../../biometrics/ports/deps.js';
import { invalidFields, missingField, notFound } from '../../../errors.js';
import {
  ConfigClass,
  ConfigsetDetailsForReadSchema,
  ConfigsetDetailsForUpdateSchema,
  ConfigsetFormat,
  ConfigsetType,
  ConfigurationManager,
  State,
  type ConfigsetGroupedByService,
} from '../../../gen/vendor/biosec/v1/configmanager/configmanager_pb.js';
import { bindService, type ServiceBinding } from '../../service.js';
import {
  biosecAccess,
  changeContextOf,
  contextOf,
  maskedRead,
  maskedWrite,
  present,
  timestampOf,
  unique,
  valueOf,
  wordOf,
} from './shared.js';
import { say } from '../../../words/server/say.js';

/** The whole document is one service's: what the grouped form wraps. */
const SERVICE_NAME = 'voiceprint';

export function configurationManagerService(deps: BiometricsDeps): ServiceBinding {
  return bindService(ConfigurationManager, biosecAccess, {
    createConfigset: async (call, request) => {
      const id = await createConfigset(deps, call, {
        context: contextOf(request),
        configsetId: request.configsetId,
        ...present('type', wordOf<TypeWord>(ConfigsetType, request.type), (word) => word),
        description: request.details?.description ?? '',
        ...present('source', sourceOf(request.configsetContent), (source) => source),
        performValidation: request.performValidation,
      });
      return { gkConfigsetRevisionId: unique(id) };
    },
    validateConfigsetRevision: async (call, request) => {
      await validateRevision(deps, call, {
        context: contextOf(request),
        gkConfigsetRevisionId: valueOf(request.gkConfigsetRevisionId),
      });
      return {};
    },
    activateConfigsetRevision: async (call, request) => {
      await activateRevision(deps, call, {
        context: contextOf(request),
        gkConfigsetRevisionId: valueOf(request.gkConfigsetRevisionId),
      });
      return {};
    },
    listConfigsetRevisions: async (call, request) => {
      const revisions = await listRevisions(deps, call, {
        context: contextOf(request),
        configClass: 'CONFIGSET',
        ...filterOf(request.filter),
      });
      return {
        details: revisions.map((revision) =>
          maskedRead(ConfigsetDetailsForReadSchema, detailsOf(revision), request.fieldMask),
        ),
      };
    },
    getConfigset: async (call, request) => {
      const revision = await getActiveRevision(deps, call, {
        context: formatContextOf(request),
        configClass: 'CONFIGSET',
        configsetId: request.configsetId,
      });
      return {
        details: maskedRead(ConfigsetDetailsForReadSchema, detailsOf(revision), request.fieldMask),
        configsetContent: contentOf(revision, request.expectedFormat),
      };
    },
    getConfigsetRevision: async (call, request) => {
      const revision = await getRevision(deps, call, {
        context: formatContextOf(request),
        gkConfigsetRevisionId: valueOf(request.gkConfigsetRevisionId),
      });
      return {
        details: maskedRead(ConfigsetDetailsForReadSchema, detailsOf(revision), request.fieldMask),
        configsetContent: contentOf(revision, request.expectedFormat),
      };
    },
    updateConfigsetDetails: async (call, request) => {
      const { description } = maskedWrite(ConfigsetDetailsForUpdateSchema, request, 'mandatory');
      await updateConfigsetDetails(deps, call, {
        context: changeContextOf(request),
        configsetId: request.configsetId,
        ...(description !== undefined && { description }),
      });
      return {};
    },
    deleteConfigset: async (call, request) => {
      await deleteConfigset(deps, call, {
        context: contextOf(request),
        configsetId: request.configsetId,
        configClass: 'CONFIGSET',
      });
      return {};
    },
    deleteConfigsetRevision: async (call, request) => {
      await deleteRevision(deps, call, {
        context: contextOf(request),
        gkConfigsetRevisionId: valueOf(request.gkConfigsetRevisionId),
      });
      return {};
    },
    createTemplate: async (call, request) => {
      const id = await createTemplate(deps, call, {
        context: contextOf(request),
        configsetId: request.templateId,
        ...present('type', wordOf<TypeWord>(ConfigsetType, request.type), (word) => word),
        description: request.details?.description ?? '',
        ...present('source', sourceOf(request.templateContent), (source) => source),
        performValidation: true,
      });
      return { gkTemplateId: unique(id) };
    },
    listTemplates: async (call, request) => {
      const revisions = await listRevisions(deps, call, {
        context: contextOf(request),
        configClass: 'TEMPLATE',
        ...filterOf(request.filter),
      });
      return {
        details: revisions.map((revision) =>
          maskedRead(ConfigsetDetailsForReadSchema, detailsOf(revision), request.fieldMask),
        ),
      };
    },
    getTemplate: async (call, request) => {
      const revision = await getActiveRevision(deps, call, {
        context: formatContextOf(request),
        configClass: 'TEMPLATE',
        configsetId: request.templateId,
      });
      return { templateContent: contentOf(revision, request.expectedFormat) };
    },
    deleteTemplate: async (call, request) => {
      await deleteConfigset(deps, call, {
        context: contextOf(request),
        configsetId: request.templateId,
        configClass: 'TEMPLATE',
      });
      return {};
    },
    generateTemplate: async (call, request) => {
      const factory = factoryTemplates.find(
        ({ templateId }) => templateId.toLowerCase() === request.templateId.toLowerCase(),
      );
      if (!factory && request.templateId)
        throw notFound(
          `factory template; there are ${factoryTemplates.map(({ templateId }) => templateId).join(', ')}`,
          'template_id',
        );
      const id = await createTemplate(deps, call, {
        context: contextOf(request),
        configsetId: factory?.templateId ?? '',
        ...present('type', wordOf<TypeWord>(ConfigsetType, request.type), (word) => word),
        description: factory?.description ?? '',
        source: { kind: 'template', templateId: factory?.templateId ?? '' },
        performValidation: true,
      });
      return { gkTemplateId: unique(id) };
    },
  });
}

type ContentOneof =
  | { case: 'rawContent'; value: Uint8Array }
  | { case: 'configsetObject'; value: ConfigsetGroupedByService }
  | { case: 'sourceTemplateId' | 'sourceConfigsetId'; value: string }
  | { case: undefined; value?: undefined };

function sourceOf(content: ContentOneof): ConfigsetSource | undefined {
  switch (content.case) {
    case 'rawContent':
      return { kind: 'document', content: textOf(content.value) };
    case 'configsetObject': {
      const [config] = content.value.serviceConfig;
      return { kind: 'document', content: config ? textOf(config.data) : '{}' };
    }
    case 'sourceTemplateId':
      return { kind: 'template', templateId: content.value };
    case 'sourceConfigsetId':
      return { kind: 'configset', configsetId: content.value };
    case undefined:
      return undefined;
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidFields([{ field: 'raw_content', violation: 'INVALID_FORMAT', ...say('NOT_UTF8') }]);
  }
}

function filterOf(filter: { configsetId: string; state: State[] } | undefined) {
  const states = (filter?.state ?? []).flatMap((state) => wordOf<ConfigsetState>(State, state) ?? []);
  return { ...present('configsetId', filter?.configsetId, String), ...(states.length > 0 && { states }) };
}

/** The context of a request for content, which must say in which format. */
function formatContextOf(
  request: Parameters<typeof contextOf>[0] & { expectedFormat: ConfigsetFormat },
): RequestContext {
  const isKnown = request.expectedFormat !== ConfigsetFormat.UNSPECIFIED;
  return { ...contextOf(request), ...(!isKnown && { faults: [missingField('expected_format')] }) };
}

function contentOf(revision: ConfigsetRevision, format: ConfigsetFormat) {
  const data = new TextEncoder().encode(revision.content);
  switch (format) {
    case ConfigsetFormat.ALL_BYTES:
      return { case: 'rawContent' as const, value: data };
    case ConfigsetFormat.BY_SERVICE: {
      const schema = new TextEncoder().encode(JSON.stringify(configsetSchema()));
      return {
        case: 'configsetObject' as const,
        value: { serviceConfig: [{ serviceName: SERVICE_NAME, data, schema }] },
      };
    }
    case ConfigsetFormat.UNSPECIFIED:
    default:
      throw new RangeError('a format that formatContextOf lets pass');
  }
}

function detailsOf(revision: ConfigsetRevision): MessageInitShape<typeof ConfigsetDetailsForReadSchema> {
  return {
    gkConfigsetRevisionId: unique(revision.gkConfigsetRevisionId),
    configsetId: revision.configsetId,
    type: ConfigsetType[revision.type],
    creationTimestamp: timestampOf(revision.createdAtMs),
    modificationTimestamp: timestampOf(revision.modifiedAtMs),
    description: revision.description,
    createdBy: revision.createdBy,
    updatedBy: revision.updatedBy,
    state: State[revision.state],
    configClass: ConfigClass[revision.configClass],
  };
}
