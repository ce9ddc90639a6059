// The URN half of ApplicationsManager: building and taking apart the names of resources
// (docs/reference/token-contract.md#resource-names).
import {
  buildUrn,
  parseUrn,
  urnFaults,
  validateUrn,
  type ResourceUrn,
} from '../../../auth/client-config/urn.js';
import { invalidFields, missingField, refuseFaults } from '../../../errors.js';
import {
  UrnKind,
  type ApplicationsManager,
  type UrnParts,
} from '../../../gen/voxgate/management/v1/applications_pb.js';
import type { Handlers } from '../../service.js';
import { requireFields } from './shared.js';
import { say } from '../../../words/server/say.js';

export const urnHandlers: Pick<Handlers<typeof ApplicationsManager>, 'buildUrn' | 'parseUrn'> = {
  buildUrn: async (_call, { parts }) => {
    if (!parts) throw invalidFields([missingField('parts')]);
    const urn = toUrn(parts);
    refuseFaults(urnFaults('parts', urn));
    return { urn: buildUrn(urn) };
  },
  parseUrn: async (_call, { urn }) => {
    requireFields({ urn });
    const parsed = parseUrn(urn);
    if (parsed) return { valid: true, parts: fromUrn(parsed) };
    const message = validateUrn('urn', urn)[0]?.message ?? 'is not a URN of this platform';
    return { valid: false, error: message };
  },
};

function toUrn(parts: UrnParts): ResourceUrn {
  const { kind, contextTag, language, wordsetName, service } = parts;
  if (kind !== UrnKind.WORDSET) refuseParts({ wordset_name: wordsetName, service });
  switch (kind) {
    case UrnKind.ASR_MODEL:
      return { type: 'asr', contextTag, language };
    case UrnKind.NLU_MODEL:
      return { type: 'nlu', contextTag, language };
    case UrnKind.DIALOG:
      refuseParts({ language });
      return { type: 'dialog', contextTag };
    case UrnKind.WORDSET:
      return { type: 'wordset', context: contextTag, wordsetName, language, service };
    case UrnKind.UNSPECIFIED:
    default:
      throw invalidFields([missingField('parts.kind')]);
  }
}

/** Dropping them would return a name for something else than was asked for. */
function refuseParts(parts: Readonly<Record<string, string>>): void {
  const given = Object.keys(parts).filter((name) => parts[name] !== '');
  refuseFaults(
    given.map((name) => ({
      field: `parts.${name}`,
      violation: 'FIELD_CONFLICT',
      ...say('NOT_IN_URN'),
    })),
  );
}

const kinds = {
  asr: UrnKind.ASR_MODEL,
  nlu: UrnKind.NLU_MODEL,
  dialog: UrnKind.DIALOG,
  wordset: UrnKind.WORDSET,
};

function fromUrn(urn: ResourceUrn): Omit<UrnParts, '$typeName'> {
  const none = { language: '', wordsetName: '', service: '' };
  const kind = kinds[urn.type];
  if (urn.type === 'wordset') {
    const { context, wordsetName, language, service } = urn;
    return { kind, contextTag: context, wordsetName, language, service };
  }
  return {
    ...none,
    kind,
    contextTag: urn.contextTag,
    ...(urn.type === 'dialog' ? {} : { language: urn.language }),
  };
}
