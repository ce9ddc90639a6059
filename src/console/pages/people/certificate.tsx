// What an erasure has deleted and kept, who asked for it, where the audit trail proves it, and the certificate as a file.
import type { ReactNode } from 'react';
import type { ErasureProofJson } from '../../../gen/voxgate/biosec/v1/privacy_pb.js';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { dateTime, shortId } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { downloadFile } from '../../kit/copy.js';
import { fill } from '../../kit/fill.js';
import { Loaded } from '../../kit/notice.js';
import { Link } from '../../router.js';
import { useReadContext } from '../../tenant/context.js';
import { t } from '../../text/privacy.js';

export function Certificate({ gkId }: { gkId: string }): ReactNode {
  const context = useReadContext();
  const query = useQuery(context && `certificate ${gkId}`, (signal) =>
    call('GetErasureCertificate', { context, gkPersonId: { value: gkId } }, signal),
  );
  return (
    <Loaded query={query}>
      {({ certificate = '', erasures = [] }) => (
        <div className="stack" data-tight>
          {erasures.map((erasure) => (
            <Proof key={erasure.auditPosition} gkId={gkId} erasure={erasure} />
          ))}
          <div>
            <Button onClick={() => downloadFile(`erasure-${gkId}.json`, fileOf(certificate, erasures))}>
              {t.certificate}
            </Button>
          </div>
        </div>
      )}
    </Loaded>
  );
}

/** For people to read, with the signed form that proves it and where its keys are. */
const fileOf = (certificate: string, erasures: readonly ErasureProofJson[]): string =>
  `${JSON.stringify({ erasures, certificate, keys: `${location.origin}/.well-known/jwks.json` }, null, 2)}\n`;

function Proof({ gkId, erasure }: { gkId: string; erasure: ErasureProofJson }): ReactNode {
  const { requestedByName, requestedBy = '', auditPosition = '' } = erasure;
  const {
    deletedRecordingCount: recordings = 0,
    deletedVoiceprintCount: prints = 0,
    keptRecordingCount: kept = 0,
  } = erasure;
  const place = (
    <Link to="/sessions?tab=audit&kind=RECORD_TYPE_PERSONAL_DATA_DELETED_EVENT">{auditPosition}</Link>
  );
  const name = requestedByName || shortId(requestedBy);
  const time = dateTime(erasure.completeTime);
  return (
    <div key={gkId}>
      <p>
        <strong>{t.counted(recordings, prints, kept)}</strong>
      </p>
      <p className="small soft">{fill(name ? t.proof(name, time) : t.proofAlone(time), { place })}</p>
    </div>
  );
}
