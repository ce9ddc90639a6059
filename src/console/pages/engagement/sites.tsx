// Customer sites: each with its time zone, its agents and its hours.
import type { ReactNode } from 'react';
import { put } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { FormDialog } from '../../kit/dialog.js';
import { EditableList, type EditorProps } from '../../kit/editable-list.js';
import { TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Loaded } from '../../kit/notice.js';
import { Link } from '../../router.js';
import { loadSites, sitePath, type Site } from './model.js';
import { TimeZoneField } from './time-zone.js';

export function Sites(): ReactNode {
  const list = useQuery('sites', loadSites);
  return (
    <div className="stack">
      <Loaded query={list} what="Loading sites">
        {(sites) => (
          <EditableList
            what="site"
            caption="Sites"
            rows={sites}
            idOf={(site) => site.siteId}
            pathOf={(site) => sitePath(site.siteId)}
            reload={list.reload}
            consequence="Its business units, agent groups, agents and hours go with it."
            empty={{
              icon: 'engagement',
              title: 'No site yet',
              text: 'A site has business units, agent groups, agents and hours of operation.',
            }}
            addLabel="New site"
            columns={[
              {
                label: 'Site',
                cell: (site) => (
                  <Link to={`/engagement/sites/${encodeURIComponent(site.siteId)}`}>
                    {site.name || site.siteId}
                  </Link>
                ),
              },
              { label: 'Site ID', cell: (site) => <code>{site.siteId}</code> },
              { label: 'Time zone', cell: (site) => site.timeZone || 'UTC' },
            ]}
            editor={(props) => <SiteDialog {...props} />}
          />
        )}
      </Loaded>
    </div>
  );
}

function SiteDialog({ item: site, onClose, onDone }: EditorProps<Site>): ReactNode {
  const form = useForm(
    {
      siteId: site?.siteId ?? '',
      name: site?.name ?? '',
      timeZone: site?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
    async ({ siteId, name, timeZone }) => {
      await put(sitePath(siteId.trim()), { site: { siteId: siteId.trim(), name: name.trim(), timeZone } });
      onDone();
    },
  );
  return (
    <FormDialog
      title={site ? `Edit ${site.siteId}` : 'New site'}
      onClose={onClose}
      submitLabel="Save site"
      disabled={form.draft.siteId.trim() === ''}
      {...form.submit}
    >
      {site ? null : (
        <TextField
          label="Site ID"
          hint="Letters, digits and . _ -"
          autoFocus
          spellCheck={false}
          {...form.text('siteId')}
        />
      )}
      <TextField label="Name" {...form.text('name')} />
      <TimeZoneField {...form.text('timeZone')} />
    </FormDialog>
  );
}
