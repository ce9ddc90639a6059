// Events: the changes and decisions of a tenant as CloudEvents, by cursor and as a stream.
import { create, toJson, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
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
import { biosecAccess, contextOf, present, timestampOf } from './biosec/shared.js';

export function eventsService(deps: FeedDeps): ServiceBinding {
  return bindService(Events, biosecAccess, {
    listTenantEvents: async (call, request) => pageOf(await readFeed(deps, call, inputOf(request))),
    async *watchTenantEvents(call, requests) {
      for await (const request of requests) {
        for await (const page of watchFeed(deps, call, inputOf(request))) yield pageOf(page);
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

function pageOf({ events, ...page }: FeedPage): MessageInitShape<typeof ListTenantEventsResponseSchema> {
  return { ...page, events: events.map(wireOf) };
}

/** An event as a message of its own, as webhooks send it. */
export const bodyOf = (event: CloudEvent): string =>
  JSON.stringify(toJson(CloudEventSchema, create(CloudEventSchema, wireOf(event))));

export function wireOf({ atMs, data, ...event }: CloudEvent): MessageInitShape<typeof CloudEventSchema> {
  return {
    ...event,
    specversion: '1.0',
    time: timestampOf(atMs),
    datacontenttype: 'application/json',
    data: { ...data, subjectIds: [...data.subjectIds], detail: { ...data.detail } },
  };
}
