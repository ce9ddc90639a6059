// Whether, and how far back, stored calls may be searched: the tenant's own settings, each explained before
// it is saved.
import type { ReactNode } from 'react';
import { useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { Checkbox, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Card, Facts } from '../../kit/layout.js';
import { ErrorNotice, Loaded } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import type { Context } from '../../tenant/context.js';
import { useMay } from '../../tenant/rights.js';
import { t } from '../../text/voice-search.js';
import type { ActiveConfigset } from '../biosec/parameters.js';
import { readTenantSettings, saveTenantSettings } from '../biosec/tenant-settings.js';
import { VOICE_SEARCH_SECTION as SECTION } from './problem.js';

const text = t.settings;
const DAYS_USUAL = 30;
const DAYS_MAX = 3650;

interface Settings {
  isAllowed: boolean;
  days: string;
  isAutomatic: boolean;
}

const settingsOf = (configset: ActiveConfigset | undefined): Settings => {
  const { hasLegalBasis, days, searchForNewFraudsters } = configset?.parameters[SECTION] ?? {};
  return {
    isAllowed: hasLegalBasis === true,
    days: String(typeof days === 'number' ? days : DAYS_USUAL),
    isAutomatic: searchForNewFraudsters === true,
  };
};

export function VoiceSearchSettings({ read }: { read: Context }): ReactNode {
  const may = useMay();
  const query = useQuery(`voice-search settings ${read.gkScopeId.value}`, async (signal) =>
    settingsOf(await readTenantSettings(read, signal)),
  );
  return (
    <Card title={text.title} hint={text.hint}>
      <Loaded query={query} what={text.loading}>
        {(settings) =>
          may('storedCalls') ? (
            <SettingsForm read={read} settings={settings} onSaved={query.reload} />
          ) : (
            <SettingsShown settings={settings} />
          )
        }
      </Loaded>
    </Card>
  );
}

/** For users who may not change them. */
function SettingsShown({ settings: { isAllowed, days, isAutomatic } }: { settings: Settings }): ReactNode {
  const word = (value: boolean): string => (value ? text.on : text.off);
  return (
    <div className="stack">
      <Facts
        items={[
          [text.isAllowed, word(isAllowed)],
          [text.days, days],
          [text.isAutomatic, word(isAllowed && isAutomatic)],
        ]}
      />
      <p className="soft">{text.notYours}</p>
    </div>
  );
}

function SettingsForm({
  read,
  settings,
  onSaved,
}: {
  read: Context;
  settings: Settings;
  onSaved: () => void;
}): ReactNode {
  const form = useForm({ ...settings, basis: '' }, async (draft) => {
    await save(read, settings, draft);
    toast(draft.isAllowed ? text.savedOn : text.savedOff);
    onSaved();
  });
  const { isAllowed, days, isAutomatic, basis } = form.draft;
  const isSwitchedOn = isAllowed && !settings.isAllowed;
  const isSwitchedOff = !isAllowed && settings.isAllowed;
  const count = /^\d+$/.test(days.trim()) ? Number(days) : 0;
  const isFit = count >= 1 && count <= DAYS_MAX;
  const isChanged =
    isAllowed !== settings.isAllowed ||
    days.trim() !== settings.days ||
    (isAllowed && isAutomatic) !== (settings.isAllowed && settings.isAutomatic);
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.submit.onSubmit();
      }}
    >
      <Checkbox
        label={text.isAllowed}
        hint={text.isAllowedHint}
        checked={isAllowed}
        onChecked={(checked) => form.set({ isAllowed: checked })}
      />
      {isSwitchedOn ? (
        <TextField label={text.basis} hint={text.basisHint} {...form.text('basis', 'details.description')} />
      ) : null}
      {isSwitchedOff ? <p role="status">{text.offMeans}</p> : null}
      <TextField
        label={text.days}
        hint={text.daysHint}
        inputMode="numeric"
        {...form.text('days', 'rawContent')}
        error={isFit ? undefined : text.daysRange}
      />
      <Checkbox
        label={text.isAutomatic}
        hint={text.isAutomaticHint}
        checked={isAutomatic}
        disabled={!isAllowed}
        onChecked={(checked) => form.set({ isAutomatic: checked })}
      />
      {form.submit.error ? <ErrorNotice error={form.submit.error} title={text.notSaved} /> : null}
      <div>
        <Button
          type="submit"
          kind="primary"
          busy={form.submit.busy}
          disabled={!isChanged || !isFit || (isSwitchedOn && basis.trim() === '')}
        >
          {text.save}
        </Button>{' '}
        {isChanged ? (
          isSwitchedOn && basis.trim() === '' ? (
            <span className="small soft">{text.needsBasis}</span>
          ) : null
        ) : (
          <span className="small soft">{text.unchanged}</span>
        )}
      </div>
    </form>
  );
}

const valuesOf = ({ isAllowed, days, isAutomatic }: Settings) => ({
  hasLegalBasis: isAllowed,
  days: Number(days),
  searchForNewFraudsters: isAllowed && isAutomatic,
});

const save = (read: Context, before: Settings, draft: Settings & { basis: string }): Promise<void> => {
  const basis = draft.basis.trim();
  return saveTenantSettings(
    read,
    SECTION,
    { before: valuesOf(before), after: valuesOf(draft) },
    draft.isAllowed && basis ? text.description(basis) : text.changed,
  );
};
