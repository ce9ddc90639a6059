// Operations that public services of this kind have and this server does not: each is refused with a message that says what to
// use instead. docs/reference/not-offered.md lists them.
import { AppError } from '../errors.js';
import { AudioProcessor } from '../gen/vendor/biosec/v1/audio/processor_pb.js';
import { GrpcStatus } from './grpc-status.js';
import { pathUnderRoot, typeUnderRoot } from './package-roots.js';
import { Refusal } from './refusal.js';
import { say } from '../words/server/say.js';

interface NotOffered {
  service: string;
  methods: readonly string[];
  /** Where they are bound; what lies below belongs to them. Legacy paths begin with the root package. */
  paths: readonly string[];
  why: string;
}

const BIOSEC = AudioProcessor.typeName.slice(0, AudioProcessor.typeName.indexOf('.audio.'));
const LEGACY = `/${BIOSEC.replaceAll('.', '/')}`;

export const notOffered: readonly NotOffered[] = [
  {
    service: `${BIOSEC}.azman.AuthorizationManager`,
    methods: [
      'CreateRole',
      'CloneRole',
      'GetRoleId',
      'GetGkRoleId',
      'ListRoles',
      'DeleteRole',
      'GetRoleDetails',
      'SetRoleDescription',
      'ResetFactoryRole',
      'AddRulesToRole',
      'RemoveRulesFromRole',
      'AddMemberToRole',
      'RemoveMemberFromRole',
      'ListRoleMembers',
      'ListAssignedRoles',
      'ListScopeMembers',
      'IsAuthorized',
      'IsAuthorizedMany',
      'GetAuthorizationDetails',
      'ListAuthorizedScopes',
      'GetUserInfo',
    ],
    paths: ['/v1/azman-roles', '/v1/azman-members', '/v1/azman-scopes', '/v1/azman', `${LEGACY}/azman`],
    why: 'roles are built in: give them to people with the management API or the console, and limit programs by the scopes of their tokens',
  },
  {
    service: AudioProcessor.typeName,
    methods: ['Transcribe', 'Redact'],
    paths: ['/v1/audios/transcription', '/v1/audios/redaction'],
    why: 'this server recognizes voices, not free speech: use a speech recognizer for what was said',
  },
];

/** The words for a gRPC path, under our root or one of the others; undefined for paths that nobody knows. */
export function grpcRefusals(packageRoots: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    notOffered.flatMap(({ service, methods, why }) =>
      methods.flatMap((method) => {
        const names = [service, ...packageRoots.flatMap((root) => typeUnderRoot(service, root) ?? [])];
        return names.map((name) => [`/${name}/${method}`, `${method} is not offered: ${why}`] as const);
      }),
    ),
  );
}

/** The refusal of an HTTP path; undefined for paths that nobody knows. */
export function httpRefusal(path: string, packageRoots: readonly string[]): Refusal | undefined {
  const found = notOffered.find(({ paths }) =>
    paths
      .flatMap((own) => [own, ...packageRoots.flatMap((root) => pathUnderRoot(own, root) ?? [])])
      .some((known) => path === known || path.startsWith(`${known}/`)),
  );
  if (!found) return undefined;
  const refused = new AppError('NOT_IMPLEMENTED', say('NOT_OFFERED', { why: found.why }));
  return new Refusal(501, GrpcStatus.UNIMPLEMENTED, refused.message, {}, refused);
}
