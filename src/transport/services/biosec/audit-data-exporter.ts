// AuditDataExporter: the audit trail of a tenant as a stream, with an iterator to go on later. gRPC only.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import {
  exportRecords,
  type ExportContinue,
  type ExportPage,
  type ExportStart,
  type PersonalMode,
} from '../../../audit/export-records.js';
import type { RecordType as TypeWord } from '../../../audit/model.js';
import type { AuditReader } from '../../../audit/ports.js';
import { missingField, refuseFaults } from '../../../errors.js';
import { MemberType } from '../../../gen/vendor/biosec/v1/common_pb.js';
import {
  AuditDataExporter,
  RecordType,
  type ExportIteratorRequest,
  type ExportResponseSchema,
  type StartExport,
} from '../../../gen/vendor/biosec/v1/history/history_pb.js';
import type { Call } from '../../../platform.js';
import { bindService, type ServiceBinding } from '../../service.js';
import { biosecAccess, contextOf, present, timestampOf, unique } from './shared.js';

export function auditDataExporterService(reader: AuditReader): ServiceBinding {
  const answer = (call: Call, request: ExportRequest, mode: PersonalMode) =>
    pages(reader, call, request, mode);
  return bindService(AuditDataExporter, biosecAccess, {
    async *exportRecords(call, requests) {
      for await (const request of requests) {
        for await (const exportResponse of answer(call, request, 'mask')) yield { exportResponse };
      }
    },
    async *exportRecordsWithPersonalData(call, requests) {
      for await (const request of requests) {
        for await (const exportResponse of answer(
          call,
          request,
          request.decryptPersonalData ? 'plain' : 'encrypted',
        ))
          yield { exportResponse };
      }
    },
  });
}

type ExportRequest = Parameters<typeof contextOf>[0] & {
  request:
    | { case: 'startExport'; value: StartExport }
    | { case: 'exportIteratorRequest'; value: ExportIteratorRequest }
    | { case: undefined; value?: undefined };
};

type Answer = MessageInitShape<typeof ExportResponseSchema>;

async function* pages(
  reader: AuditReader,
  call: Call,
  message: ExportRequest,
  mode: PersonalMode,
): AsyncGenerator<Answer> {
  const { gkScopeId = '' } = contextOf(message);
  const missing = missingIn(message.request);
  refuseFaults([...(gkScopeId ? [] : ['context.gk_scope_id']), ...missing].map(missingField));
  for await (const page of exportRecords({ reader }, call, requestOf(gkScopeId, message), mode))
    yield pageOf(page);
}

function missingIn(request: ExportRequest['request']): string[] {
  switch (request.case) {
    case 'startExport':
      return request.value.recordType === RecordType.UNSPECIFIED ? ['start_export.record_type'] : [];
    case 'exportIteratorRequest':
      return request.value.iterator ? [] : ['export_iterator_request.iterator'];
    case undefined:
      return ['start_export', 'export_iterator_request'];
  }
}

function requestOf(gkScopeId: string, { request }: ExportRequest): ExportStart | ExportContinue {
  if (request.case === 'exportIteratorRequest') {
    const { iterator, requestedDuration } = request.value;
    return {
      gkScopeId,
      iterator,
      ...present(
        'durationMs',
        requestedDuration,
        ({ seconds, nanos }) => Number(seconds) * 1000 + Math.floor(nanos / 1e6),
      ),
    };
  }
  const { recordType = RecordType.UNSPECIFIED, startTime, endTime } = request.value ?? {};
  return {
    gkScopeId,
    recordType: RecordType[recordType] as TypeWord,
    ...present('fromMs', startTime, timestampMs),
    ...present('toMs', endTime, timestampMs),
  };
}

function pageOf({ records, iterator, endOfRecords }: ExportPage): Answer {
  return {
    exportRecord: records.map(({ atMs, record, json }) => ({
      createTime: timestampOf(atMs),
      context: {
        ...present('gkEngagementId', record.context.gkEngagementId, unique),
        ...present('gkSessionId', record.context.gkSessionId, unique),
        ...present('gkScopeId', record.context.gkScopeId, unique),
        ...present('configsetId', record.context.configsetId, String),
      },
      member: {
        memberId: { case: 'externalId', value: record.actor.subject },
        issuer: record.actor.issuer,
        type: MemberType.CLIENT,
      },
      recordAsJson: json,
    })),
    iterator,
    endOfRecords,
  };
}
