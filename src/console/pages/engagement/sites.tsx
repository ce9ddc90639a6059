// Customer sites: each with its time zone, its agents and its hours.
import type { ReactNode } from 'react';
import type { SiteJson } from '../../../gen/voxgate/management/v1/engagement_pb.js';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { FormDialog } from '../../kit/dialog.js';
import { EditableList, type EditorProps } from '../../kit/editable-list.js';
import { SelectField, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Loaded } from '../../kit/notice.js';
import { Link } from '../../router.js';
import { useMay } from '../../tenant/rights.js';
import { useTenant } from '../../tenant/tenant.js';
import { t } from '../../text/engagement.js';
import { loadSites } from './model.js';
import { TimeZoneField } from './time-zone.js';

const text = t.site;

export function Sites(): ReactNode {
  const isFixed = !useMay()('administrator');
  const list = useQuery('sites', loadSites);
  const { tenants } = useTenant();
  return (
    <div className="stack">
      <Loaded query={list} what={text.loading}>
        {(sites) => (
          <EditableList
            isFixed={isFixed}
            text={text.list}
            icon="engagement"
            rows={sites}
            idOf={(site) => site.siteId ?? ''}
            remove={(site) => call('DeleteSite', { siteId: site.siteId })}
            reload={list.reload}
            columns={[
              {
                label: text.column,
                cell: ({ siteId = '', name }) => (
                  <Link to={`/engagement/sites/${encodeURIComponent(siteId)}`}>{name || siteId}</Link>
                ),
              },
              { label: text.id, cell: (site) => <code>{site.siteId}</code> },
              { label: text.zone, cell: (site) => site.timeZone || 'UTC' },
              {
                label: text.tenant,
                cell: ({ gkScopeId }) =>
                  tenants.find(({ id }) => id === gkScopeId)?.label ?? gkScopeId ?? text.everyTenant,
              },
            ]}
            editor={(props) => <SiteDialog {...props} />}
          />
        )}
      </Loaded>
    </div>
  );
}

function SiteDialog({ item: site, onClose, onDone }: EditorProps<SiteJson>): ReactNode {
  const { tenants } = useTenant();
  const form = useForm(
    {
      siteId: site?.siteId ?? '',
      name: site?.name ?? '',
      timeZone: site?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
      gkScopeId: site?.gkScopeId ?? '',
    },
    async ({ siteId, name, timeZone, gkScopeId }) => {
      await call('UpsertSite', {
        site: { siteId: siteId.trim(), name: name.trim(), timeZone, gkScopeId },
        expected: site,
      });
      onDone();
    },
  );
  return (
    <FormDialog
      title={site ? text.edit(site.siteId ?? '') : text.new}
      onClose={onClose}
      submitLabel={text.save}
      disabled={form.draft.siteId.trim() === ''}
      {...form.submit}
    >
      {site ? null : (
        <TextField label={text.id} hint={text.idHint} autoFocus spellCheck={false} {...form.text('siteId')} />
      )}
      <TextField label={text.name} {...form.text('name')} />
      <TimeZoneField {...form.text('timeZone')} />
      <SelectField
        label={text.tenant}
        hint={text.tenantHint}
        options={[
          { value: '', label: text.everyTenant },
          ...tenants.map(({ id, label }) => ({ value: id, label })),
        ]}
        {...form.text('gkScopeId')}
      />
    </FormDialog>
  );
}
