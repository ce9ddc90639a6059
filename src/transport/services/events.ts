// Events: the changes and decisions of a tenant as CloudEvents, by cursor and as a stream.
import { create, toJson, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { LiveAssessment } from '../../biometrics/assessment/model.js';
import type { CloudEvent } from '../../events/feed/cloud-event.js';
import { readFeed, type FeedDeps, type FeedInput, type FeedPage } from '../../events/feed/read-feed.js';
import { watchFeed } from '../../events/feed/watch-feed.js';
import {
  Events,
  CloudEventSchema,
  type ListTenantEventsRequest,
  type ListTenantEventsResponseSchema,
} from '../../gen/voxgate/events/v1/events_pb.js';
import { bindService, type ServiceBinding } from '../service.js';
import { liveAssessmentOf } from './biosec/assessment.js';
import { biosecAccess, contextOf, present, timestampOf } from './biosec/shared.js';

/** What sessions mean now. */
export type AssessedSessions = (
  gkScopeId: string,
  gkSessionIds: readonly string[],
) => Promise<ReadonlyMap<string, LiveAssessment>>;

export function eventsService({
  assessed,
  ...deps
}: FeedDeps & { assessed: AssessedSessions }): ServiceBinding {
  return bindService(Events, biosecAccess, {
    listTenantEvents: async (call, request) => {
      const input = inputOf(request);
      return pageOf(await readFeed(deps, call, input), input.gkScopeId, assessed);
    },
    async *watchTenantEvents(call, requests) {
      for await (const request of requests) {
        const input = inputOf(request);
        for await (const page of watchFeed(deps, call, input)) yield pageOf(page, input.gkScopeId, assessed);
        return;
      }
    },
  });
}

function inputOf(request: ListTenantEventsRequest): FeedInput {
  const { cursor, types, pageSize, startTime } = request;
  const { gkScopeId = '' } = contextOf(request);
  return { gkScopeId, cursor, types, pageSize, ...present('fromMs', startTime, timestampMs) };
}

async function pageOf(
  { events, ...page }: FeedPage,
  gkScopeId: string,
  assessed: AssessedSessions,
): Promise<MessageInitShape<typeof ListTenantEventsResponseSchema>> {
  const assessments = await assessmentsFor(events, gkScopeId, assessed);
  return { ...page, events: events.map((event) => wireOf(event, assessments)) };
}

/** An event as a message of its own, as webhooks send it. */
export const bodiesWith =
  (assessed: AssessedSessions) =>
  async (event: CloudEvent, gkScopeId: string): Promise<string> => {
    const message = wireOf(event, await assessmentsFor([event], gkScopeId, assessed));
    return JSON.stringify(toJson(CloudEventSchema, create(CloudEventSchema, message)));
  };

type Assessments = ReadonlyMap<string, LiveAssessment>;

async function assessmentsFor(
  events: readonly CloudEvent[],
  gkScopeId: string,
  assessed: AssessedSessions,
): Promise<Assessments> {
  const ids = new Set(events.flatMap(({ data }) => [...(data.foundIn ?? []), data.gkSessionId ?? []].flat()));
  return ids.size > 0 ? assessed(gkScopeId, [...ids]) : new Map();
}

export function wireOf(
  { atMs, data: { foundIn = [], ...data }, ...event }: CloudEvent,
  assessments: Assessments = new Map(),
): MessageInitShape<typeof CloudEventSchema> {
  const assessmentOf = (gkSessionId: string) =>
    present('assessment', assessments.get(gkSessionId), liveAssessmentOf);
  return {
    ...event,
    specversion: '1.0',
    time: timestampOf(atMs),
    datacontenttype: 'application/json',
    data: {
      ...data,
      subjectIds: [...data.subjectIds],
      detail: { ...data.detail },
      ...assessmentOf(data.gkSessionId ?? ''),
      foundIn: foundIn.map((gkSessionId) => ({ gkSessionId, ...assessmentOf(gkSessionId) })),
    },
  };
}
