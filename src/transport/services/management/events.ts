// EventLog over the runtime events. A runtime token with the scope log sees its own application; a tooling user sees
// the applications they belong to.
import { listEvents } from '../../../events/list-events.js';
import { listRequests } from '../../../events/list-requests.js';
import type { EventsDeps } from '../../../events/reading.js';
import { EventLog, RequestOutcome } from '../../../gen/voxgate/management/v1/events_pb.js';
import type { Clock } from '../../../platform.js';
import { bindService, type ServiceBinding } from '../../service.js';
import { msOf, time } from './shared.js';

export function eventLogService(deps: EventsDeps & { clock: Clock }): ServiceBinding {
  return bindService(
    EventLog,
    { anyOf: ['log', 'platform-api'] },
    {
      listEvents: async (call, request) => {
        const { types, pageSize, cursor, appId } = request;
        const fromMs = msOf(request.startTime);
        const toMs = msOf(request.endTime);
        const { events, nextCursor, endOfEvents } = await listEvents(deps, call, {
          types,
          pageSize,
          cursor,
          appId,
          ...(fromMs === undefined ? {} : { fromMs }),
          ...(toMs === undefined ? {} : { toMs }),
        });
        return {
          events: events.map((event) => ({
            eventId: String(event.seq),
            time: time(event.atMs),
            type: event.type,
            appId: event.appId ?? '',
            clientId: event.clientId ?? '',
            requestId: event.requestId ?? '',
            gkScopeId: event.gkScopeId ?? '',
            outcome: event.outcome,
            attributes: { ...event.attributes },
          })),
          nextCursor,
          endOfEvents,
        };
      },

      listRequests: async (call, request) => {
        const { appId, clientId, method, requestId, outcome, pageSize, pageToken } = request;
        const fromMs = msOf(request.startTime);
        const toMs = msOf(request.endTime);
        const { requests, nextPageToken } = await listRequests(deps, call, {
          appId,
          clientId,
          method,
          requestId,
          pageSize,
          pageToken,
          ...(outcome === RequestOutcome.UNSPECIFIED ? {} : { isOk: outcome === RequestOutcome.OK }),
          ...(fromMs === undefined ? {} : { fromMs }),
          ...(toMs === undefined ? {} : { toMs }),
        });
        return {
          requests: requests.map(({ atMs, ...rest }) => ({ ...rest, time: time(atMs) })),
          nextPageToken,
        };
      },
    },
  );
}
