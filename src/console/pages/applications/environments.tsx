// The environments of an application, each with its application ID.
import type { ReactNode } from 'react';
import type { ApplicationJson } from '../../../gen/voxgate/management/v1/applications_pb.js';
import { Button } from '../../kit/button.js';
import { Copy } from '../../kit/copy.js';
import { Badge, Card, Facts } from '../../kit/layout.js';
import { EmptyState } from '../../kit/notice.js';
import { Link } from '../../router.js';
import { t } from '../../text/applications.js';
import { nameOf } from './model.js';

const text = t.application;

export function Environments({
  application,
  mayChange,
  onCreate,
}: {
  application: ApplicationJson;
  mayChange: boolean;
  onCreate: () => void;
}): ReactNode {
  const { environments = [], applicationId = '' } = application;
  const add = mayChange ? (
    <Button kind="primary" onClick={onCreate}>
      {text.addEnvironment}
    </Button>
  ) : null;
  if (environments.length === 0) {
    return (
      <EmptyState icon="applications" title={text.noEnvironment} action={add}>
        {text.noEnvironmentText}
      </EmptyState>
    );
  }
  return (
    <div className="stack">
      {add ? <div className="row">{add}</div> : null}
      {environments.map((environment) => {
        const { appId = '', geographies = [], clientCount = 0, gkScopeIds = [] } = environment;
        const name = nameOf(environment);
        return (
          <Card
            key={appId}
            title={name}
            actions={
              <Link className="button" to={`/applications/${applicationId}/environments/${appId}`}>
                {text.open}
              </Link>
            }
          >
            <Facts
              items={[
                [text.applicationId, <Copy key="id" text={appId} label={text.applicationIdOf(name)} wrap />],
                [text.geographies, <Geographies key="geo" geographies={geographies} />],
                [text.clients, t.clients(clientCount)],
                [
                  text.tenants,
                  gkScopeIds.length > 0 ? (
                    t.tenants(gkScopeIds.length)
                  ) : (
                    <Badge key="none" tone="warn">
                      {text.noTenant}
                    </Badge>
                  ),
                ],
              ]}
            />
          </Card>
        );
      })}
    </div>
  );
}

export function Geographies({ geographies }: { geographies: readonly string[] }): ReactNode {
  return (
    <span className="row">
      {geographies.map((geography) => (
        <Badge key={geography} plain>
          {geography}
        </Badge>
      ))}
    </span>
  );
}
