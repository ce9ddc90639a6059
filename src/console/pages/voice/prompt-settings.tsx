// When callers are to be asked to repeat digits, and how: parameters of the config set that calls use, with what each choice means.
import type { ReactNode } from 'react';
import { useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { Checkbox, SelectField, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Card } from '../../kit/layout.js';
import { ErrorNotice, Loaded } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import type { Context } from '../../tenant/context.js';
import { useMay } from '../../tenant/rights.js';
import { t } from '../../text/voice.js';
import { readConfigset } from '../biosec/parameters.js';
import { saveSettings } from '../biosec/tenant-settings.js';

const text = t.digits.settings;
const SECTION = 'promptedWords';
/** As the server has them. */
const limits = { fromRisk: [1, 999], digits: [3, 10], answerSeconds: [5, 600] } as const;
const USUAL_RISK = 150;

type When = keyof typeof text.whens;
const whens = Object.keys(text.whens) as When[];
const hasRisk = (when: When): boolean => when === 'risk' || when === 'both';

type Values = Readonly<Record<string, unknown>>;

interface Draft {
  when: When;
  fromRisk: string;
  digits: string;
  answerSeconds: string;
  tellDetectedText: boolean;
}

const draftOf = ({ always, whenUnresolved, fromRisk, digits, answerSeconds, ...rest }: Values): Draft => ({
  when:
    always === true
      ? 'always'
      : Number(fromRisk) > 0
        ? whenUnresolved === true
          ? 'both'
          : 'risk'
        : whenUnresolved === true
          ? 'unresolved'
          : 'never',
  fromRisk: String(Number(fromRisk) || USUAL_RISK),
  digits: String(digits),
  answerSeconds: String(answerSeconds),
  tellDetectedText: rest['tellDetectedText'] === true,
});

const valuesOf = (
  { when, fromRisk, digits, answerSeconds, tellDetectedText }: Draft,
  before: Values,
): Values => ({
  always: when === 'always',
  // Beside `always` the others say hardly anything, and stay as they are.
  whenUnresolved: when === 'always' ? before['whenUnresolved'] : when === 'unresolved' || when === 'both',
  fromRisk: when === 'always' ? before['fromRisk'] : hasRisk(when) ? Number(fromRisk) : 0,
  digits: Number(digits),
  answerSeconds: Number(answerSeconds),
  tellDetectedText,
});

export function PromptSettings({ context }: { context: Context }): ReactNode {
  const may = useMay();
  const { gkScopeId, configsetId = '' } = context;
  const query = useQuery(
    may('CreateConfigset') ? `prompt settings ${gkScopeId.value} ${configsetId}` : undefined,
    async (signal) => (await readConfigset(context, signal)).parameters[SECTION] ?? {},
  );
  if (!may('CreateConfigset')) return null;
  return (
    <Card title={text.title} hint={text.hint(configsetId)}>
      <Loaded query={query} what={text.loading}>
        {(values) => (
          <SettingsForm
            key={JSON.stringify(values)}
            context={context}
            values={values}
            onSaved={query.reload}
          />
        )}
      </Loaded>
    </Card>
  );
}

function SettingsForm({
  context,
  values,
  onSaved,
}: {
  context: Context;
  values: Values;
  onSaved: () => void;
}): ReactNode {
  const form = useForm(draftOf(values), async (draft) => {
    await saveSettings(context, SECTION, { before: values, after: valuesOf(draft, values) }, text.changed);
    toast(text.saved);
    onSaved();
  });
  const { draft } = form;
  const after = valuesOf(draft, values);
  const rangeError = (name: keyof typeof limits): string | undefined => {
    const [least, most] = limits[name];
    const value = draft[name].trim();
    const isFit = /^\d+$/.test(value) && Number(value) >= least && Number(value) <= most;
    return isFit ? undefined : text.range(least, most);
  };
  const asked = (['digits', 'answerSeconds', ...(hasRisk(draft.when) ? ['fromRisk'] : [])] as const).map(
    (name) => rangeError(name as keyof typeof limits),
  );
  const isFit = asked.every((error) => error === undefined);
  const isChanged = Object.entries(after).some(([name, value]) => value !== values[name]);
  const number = (name: keyof typeof limits, label: string, hint: string): ReactNode => (
    <TextField
      label={label}
      hint={hint}
      inputMode="numeric"
      {...form.text(name, 'rawContent')}
      error={rangeError(name)}
    />
  );
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.submit.onSubmit();
      }}
    >
      <SelectField
        label={text.when}
        hint={text.effects[draft.when]}
        value={draft.when}
        onValue={(when) => form.set({ when: when as When })}
        options={whens.map((value) => ({ value, label: text.whens[value] }))}
      />
      {hasRisk(draft.when) ? number('fromRisk', text.fromRisk, text.fromRiskHint) : null}
      {number('digits', text.digits, text.digitsHint)}
      {number('answerSeconds', text.seconds, text.secondsHint)}
      <Checkbox label={text.tell} hint={text.tellHint} {...form.flag('tellDetectedText')} />
      {form.submit.error ? <ErrorNotice error={form.submit.error} title={text.notSaved} /> : null}
      <div>
        <Button type="submit" kind="primary" busy={form.submit.busy} disabled={!isFit || !isChanged}>
          {text.save}
        </Button>
      </div>
    </form>
  );
}
