// A new batch: the manifest from a file, the operation for its lines, and a dry run before anything is
// changed.
import { useId, useRef, type ReactNode } from 'react';
import type {
  ExistingActionJson,
  FraudCheckJson,
  StartEnrollmentBatchRequestJson,
} from '../../../gen/voxgate/batch/v1/batch_pb.js';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { FormDialog } from '../../kit/dialog.js';
import { Checkbox, SelectField, TextField } from '../../kit/field.js';
import { useFileDrop } from '../../kit/file-drop.js';
import { useForm, type Form } from '../../kit/form.js';
import type { Context } from '../../tenant/context.js';
import type { Need } from '../../tenant/needs.js';
import { useMay } from '../../tenant/rights.js';
import { t } from '../../text/batches.js';

export type Operation = keyof typeof t.operations;

type AskedFor = 'manifest' | 'tag' | 'allHaveConsented' | 'description' | 'dryRun';
type MakesPrints = keyof typeof t.existing;

/** The state of the form, in which choices from lists are text. */
export interface BatchDraft extends Required<Pick<StartEnrollmentBatchRequestJson, AskedFor>> {
  operation: string;
  fileName: string;
  existing: string;
  fraudCheck: string;
  gkWatchlistId: string;
  withoutAttackChecks: boolean;
}

const operationNeeds: Readonly<Record<Operation, Need>> = {
  ENROLL: 'StartEnrollmentBatch',
  REGISTER: 'StartFraudsterBatch',
  CHECK: 'StartCheckBatch',
};
const batchOperations = Object.keys(operationNeeds) as Operation[];

const TAG = 'main';
const WATCHLISTS_MAX = 200;

/** The input of dry runs in this tab, so that they can be started: the server does not return manifests. */
const drafts = new Map<string, BatchDraft>();
export const draftOf = (gkJobId: string): BatchDraft | undefined => drafts.get(gkJobId);

export async function startBatch(read: Context, draft: BatchDraft): Promise<string> {
  const { manifest, tag, description, dryRun, allHaveConsented } = draft;
  const common = {
    context: read,
    manifest,
    tag: tag.trim(),
    description: description.trim(),
    dryRun,
    ...(draft.gkWatchlistId !== '' && { gkWatchlistId: { value: draft.gkWatchlistId } }),
  };
  const existing = draft.existing as ExistingActionJson;
  const fraudCheck = draft.fraudCheck as FraudCheckJson;
  const { gkJobId = '' } =
    draft.operation === 'ENROLL'
      ? await call('StartEnrollmentBatch', { ...common, existing, fraudCheck, allHaveConsented })
      : draft.operation === 'REGISTER'
        ? await call('StartFraudsterBatch', { ...common, existing })
        : await call('StartCheckBatch', { ...common, withoutAttackChecks: draft.withoutAttackChecks });
  if (dryRun) drafts.set(gkJobId, draft);
  return gkJobId;
}

export function NewBatch({
  read,
  onClose,
  onStarted,
}: {
  read: Context;
  onClose: () => void;
  onStarted: (gkJobId: string) => void;
}): ReactNode {
  const may = useMay();
  const offered = batchOperations.filter((operation) => may(operationNeeds[operation]));
  const form = useForm<BatchDraft>(
    {
      operation: offered[0] ?? 'ENROLL',
      fileName: '',
      manifest: '',
      tag: TAG,
      existing: 'EXISTING_ACTION_SKIP',
      fraudCheck: 'FRAUD_CHECK_NONE',
      gkWatchlistId: '',
      withoutAttackChecks: false,
      allHaveConsented: false,
      description: '',
      dryRun: true,
    },
    async (draft) => onStarted(await startBatch(read, draft)),
  );
  const { draft } = form;
  return (
    <FormDialog
      title={t.start}
      submitLabel={draft.dryRun ? t.startDry : t.startNow}
      onClose={onClose}
      disabled={draft.manifest === ''}
      wide
      {...form.submit}
    >
      <SelectField
        label={t.what}
        autoFocus
        hint={draft.operation === 'ENROLL' ? t.enrollHint : undefined}
        options={optionsOf(t.operations).filter(({ value }) => offered.some((one) => one === value))}
        {...form.text('operation')}
      />
      <ManifestField form={form} />
      <TextField
        label={t.tag}
        hint={t.tagHint[draft.operation as Operation]}
        spellCheck={false}
        {...form.text('tag')}
      />
      <Choices read={read} form={form} />
      <TextField label={t.description} hint={t.descriptionHint} optional {...form.text('description')} />
      <Checkbox label={t.dryRunFirst} hint={t.dryRunHint} {...form.flag('dryRun')} />
    </FormDialog>
  );
}

const optionsOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

/** Fields that only some operations have. */
function Choices({ read, form }: { read: Context; form: Form<BatchDraft> }): ReactNode {
  const { operation, fraudCheck } = form.draft;
  const watchlists = useQuery(`batch watchlists ${read.gkScopeId.value}`, async (signal) => {
    const request = { context: { gkScopeId: read.gkScopeId }, pageSize: WATCHLISTS_MAX };
    return (await call('ListWatchlists', request, signal)).watchlists ?? [];
  });
  const lists = (watchlists.data ?? []).map(({ details }) => ({
    value: details?.gkWatchlistId?.value ?? '',
    label: details?.watchlistId ?? '',
  }));
  const isEnrollment = operation === 'ENROLL';
  return (
    <>
      {operation === 'CHECK' ? null : (
        <SelectField
          label={t.existing[operation as MakesPrints]}
          options={optionsOf(t.existings)}
          {...form.text('existing')}
        />
      )}
      {isEnrollment ? (
        <>
          <SelectField label={t.fraudCheck} options={optionsOf(t.fraudChecks)} {...form.text('fraudCheck')} />
          <Checkbox label={t.consented} hint={t.consentedHint} {...form.flag('allHaveConsented')} />
        </>
      ) : null}
      {isEnrollment && fraudCheck === 'FRAUD_CHECK_NONE' ? null : (
        <SelectField
          label={t.watchlist}
          hint={operation === 'CHECK' ? t.checkHint : undefined}
          options={[{ value: '', label: t.noWatchlist }, ...lists]}
          {...form.text('gkWatchlistId')}
        />
      )}
      {operation === 'CHECK' ? (
        <Checkbox
          label={t.withoutAttackChecks}
          hint={t.withoutAttackChecksHint}
          {...form.flag('withoutAttackChecks')}
        />
      ) : null}
    </>
  );
}

/** A header that such a manifest may begin with. */
const headers: Readonly<Record<Operation, string>> = {
  ENROLL: 'speaker_id,consent,file',
  REGISTER: 'fraudster_id,file',
  CHECK: 'speaker_id,file',
};

function ManifestField({ form }: { form: Form<BatchDraft> }): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const { operation, fileName, manifest } = form.draft;
  // Registers the field, so that the dialog does not repeat its problem.
  form.text('manifest');
  const errors = form.error?.problems('manifest') ?? [];
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    form.set({ fileName: file.name, manifest: await file.text() });
    // The error was about the previous file.
    form.clearError();
  };
  const drop = useFileDrop(([file]) => void take(file));
  const lines = manifest.split('\n').filter((line) => line.trim() !== '').length;
  // The same test by which the server tells it from JSON.
  const isCsv = !/^\uFEFF?\s*[{[]/.test(manifest);
  return (
    <fieldset className="field" aria-describedby={`${id}-hint`} {...drop}>
      <legend>{t.manifest}</legend>
      <div className="row">
        <Button onClick={() => input.current?.click()}>
          {manifest === '' ? (
            t.chooseFile
          ) : (
            <span translate="no">
              {isCsv ? t.chosenCsv(fileName, Math.max(0, lines - 1)) : t.chosenFile(fileName, lines)}
            </span>
          )}
        </Button>
        <span className="small soft">{t.dropHint}</span>
        <input
          ref={input}
          type="file"
          hidden
          accept=".csv,.json,.jsonl,.ndjson,.txt,text/csv,application/json"
          onChange={(event) => {
            void take(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </div>
      <div id={`${id}-hint`}>
        <div className="field-hint">{t.manifestHint(headers[operation as Operation])}</div>
        {errors.map((error) => (
          <div key={error} className="field-error">
            {error}
          </div>
        ))}
      </div>
    </fieldset>
  );
}
