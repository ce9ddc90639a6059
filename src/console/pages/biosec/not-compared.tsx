// Members of a group or watchlist whose voice was not compared, because they have no usable voiceprint:
// findings about the others do not apply to them.
import type { ReactNode } from 'react';
import type { StatusJson } from '../../../gen/vendor/rpc/status_pb.js';
import type { TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { t } from '../../text/checks.js';

export interface NotCompared {
  list: 'group' | 'watchlist';
  count: number;
  members: number;
}

/** The answer of a check contains it as a diagnostic of the status. */
export function notComparedIn(status: StatusJson | undefined): NotCompared | undefined {
  const extras = status?.diagnosticDetails?.find(({ code }) => code === 'MEMBERS_NOT_COMPARED')?.extras;
  return extras && notCompared(extras['list'] === 'group', extras['not_compared'], extras['members']);
}

/** A session stores it with the check. */
export function notComparedBy({ attributes = {} }: TimelineEventJson): NotCompared | undefined {
  const isGroup = attributes['factor'] === 'AUTHENTICATION';
  return notCompared(isGroup, attributes['notCompared'], attributes['ofMembers']);
}

function notCompared(isGroup: boolean, count = '0', members = '0'): NotCompared | undefined {
  const left = {
    list: isGroup ? 'group' : 'watchlist',
    count: Number(count),
    members: Number(members),
  } as const;
  return left.count > 0 ? left : undefined;
}

export function MembersNotCompared({ left }: { left: NotCompared | undefined }): ReactNode {
  return left ? <p className="small">{t.notCompared[left.list](left.count, left.members)}</p> : null;
}
