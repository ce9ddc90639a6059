// `voxgate webhook`: the receivers of a tenant's events, and what became of their deliveries.
import type { Command } from 'commander';
import { webhooksFor } from '../../compose/webhooks.js';
import { AppError } from '../../errors.js';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
  updateWebhook,
  type WebhookView,
} from '../../events/webhooks/manage.js';
import { listDeadLetters, pingWebhook, replayEvents } from '../../events/webhooks/send-again.js';
import { earlierName, tenantFlag, type CliIo } from '../io.js';
import { collect, list, table, text, timeMs, wholeNumber, type Flags } from '../flags.js';
import { SHOWN_ONCE, addCommand, type ManagementSession, type Result } from './management.js';

export function registerWebhook(program: Command, io: CliIo): void {
  const webhook = program
    .command('webhook')
    .description("manage the receivers of a tenant's events, and send events again");
  registerReceivers(webhook, io);
  registerChanges(webhook, io);
  registerDeliveries(webhook, io);
}

type Work = (
  session: ManagementSession & { webhooks: ReturnType<typeof webhooksFor> },
  place: { gkScopeId: string; webhookId: string },
  flags: Flags,
) => Promise<Result>;

/** The tenant comes by a flag; the argument, where there is one, is the webhook. */
function add(parent: Command, io: CliIo, usage: string, description: string, work: Work): Command {
  const command = addCommand(parent, io, usage, description, (session, [webhookId = ''], flags) => {
    const webhooks = webhooksFor(session.core, session.storage);
    return work({ ...session, webhooks }, { gkScopeId: text(flags, 'tenant') ?? '', webhookId }, flags);
  });
  return tenantFlag(command, 'tenant whose events they are', { required: true });
}

function registerReceivers(webhook: Command, io: CliIo): void {
  add(webhook, io, 'create <url>', 'add a receiver', async ({ webhooks, call }, place, flags) => {
    const { gkScopeId, webhookId: url } = place;
    const settings = { url, description: text(flags, 'description') ?? '', types: list(flags, 'type') };
    const made = await createWebhook(webhooks, call, { gkScopeId, ...settings });
    return {
      value: { ...shown(made.webhook), secret: made.secret },
      lines: [`Webhook  ${made.webhook.webhookId}`, `Secret   ${made.secret}`, SHOWN_ONCE],
    };
  })
    .option(
      '--type <type>',
      'events to send, such as voxgate.v1.Verify or voxgate.v1.Create*; may be repeated',
      collect,
    )
    .option('--description <text>', 'what it is for');

  add(webhook, io, 'list', 'list the receivers of a tenant', async ({ webhooks, call }, { gkScopeId }) => {
    const found = await listWebhooks(webhooks, call, gkScopeId);
    return { value: { webhooks: found.map(shown) }, lines: table(found.map(row), 'no webhooks') };
  });

  add(webhook, io, 'show <webhook_id>', 'show a receiver', async ({ webhooks, call }, place) =>
    changed(await getWebhook(webhooks, call, place)),
  );
}

function registerChanges(webhook: Command, io: CliIo): void {
  add(
    webhook,
    io,
    'update <webhook_id>',
    'change a receiver; options left out stay as they are',
    async ({ webhooks, call }, place, flags) => {
      const { url, description, types, isEnabled } = await getWebhook(webhooks, call, place);
      const given = list(flags, 'type');
      const enabled = flags['enable'] === true || (isEnabled && flags['disable'] !== true);
      return changed(
        await updateWebhook(webhooks, call, {
          ...place,
          url: text(flags, 'url') ?? url,
          description: text(flags, 'description') ?? description,
          types: flags['allTypes'] === true ? [] : given.length > 0 ? given : types,
          isEnabled: enabled,
        }),
      );
    },
  )
    .option('--url <url>', 'new address')
    .option('--description <text>', 'what it is for')
    .option('--type <type>', 'type of event to send; repeat for several; replaces the current ones', collect)
    .option('--all-types', 'send all events')
    .option('--enable', 'switch it on; it continues where it stopped')
    .option('--disable', 'switch it off');

  add(webhook, io, 'rotate <webhook_id>', 'make a new secret', async ({ webhooks, call }, place, flags) => {
    const overlapSeconds = wholeNumber(flags, 'overlap');
    const rotated = await rotateSecret(webhooks, call, {
      ...place,
      ...(overlapSeconds === undefined ? {} : { overlapSeconds }),
    });
    const endsAtMs = rotated.webhook.secrets[1]?.endsAtMs;
    const until =
      endsAtMs === undefined
        ? 'The old secret no longer signs.'
        : `Until ${new Date(endsAtMs).toISOString()}, events are also signed with the old secret.`;
    return {
      value: { ...shown(rotated.webhook), secret: rotated.secret },
      lines: [`Secret  ${rotated.secret}`, SHOWN_ONCE, until],
    };
  }).option('--overlap <seconds>', 'how long the old secret is used as well (default: 86400)');

  add(webhook, io, 'delete <webhook_id>', 'remove a receiver', async ({ webhooks, call }, place) => {
    await deleteWebhook(webhooks, call, place);
    return { value: { webhookId: place.webhookId, deleted: true }, lines: ['deleted'] };
  });
}

function registerDeliveries(webhook: Command, io: CliIo): void {
  add(
    webhook,
    io,
    'ping <webhook_id>',
    'send a test event now, from this machine',
    async ({ webhooks, call }, place) => {
      const { fault, status, eventId } = await pingWebhook(webhooks, call, place);
      if (fault !== undefined) throw new AppError('UNKNOWN', `not delivered: ${fault}`);
      return { value: { delivered: true, httpStatus: status, eventId }, lines: [`delivered (${status})`] };
    },
  );

  add(
    webhook,
    io,
    'dead-letters <webhook_id>',
    'list the events that were given up',
    async ({ webhooks, call }, place, flags) => {
      const pageSize = wholeNumber(flags, 'limit') ?? 0;
      const { letters } = await listDeadLetters(webhooks, call, { ...place, pageSize, pageToken: '' });
      const rows = letters.map(({ eventId, event, attempts, lastAtMs, lastFault }) => [
        eventId,
        event?.type ?? '',
        `${attempts} attempts`,
        new Date(lastAtMs).toISOString(),
        lastFault,
      ]);
      return { value: { deadLetters: letters }, lines: table(rows, 'no dead letters') };
    },
  ).option('--limit <number>', 'show at most this many (default: 100, limit: 1000)');

  add(
    webhook,
    io,
    'replay <webhook_id>',
    'send events of a span of time again',
    async ({ webhooks, call }, place, flags) => {
      const { events, webhookIsOff } = await replayEvents(webhooks, call, {
        ...place,
        ...time(flags, 'from', 'fromMs'),
        ...time(flags, 'to', 'toMs'),
        ...time(flags, 'since', 'fromMs'),
        ...time(flags, 'until', 'toMs'),
        deadLettersOnly: flags['deadLetters'] === true,
      });
      const what = `${events} ${events === 1 ? 'event' : 'events'}`;
      const line = webhookIsOff
        ? `${what} will be sent again when the webhook is switched on (webhook update ${place.webhookId} --enable)`
        : `${what} will be sent again`;
      return { value: { events, webhookIsOff }, lines: [line] };
    },
  )
    .option('--since <time>', 'such as 2026-11-16T08:00:00Z (default: the oldest event kept)')
    .option('--until <time>', 'end of the time span (default: now)')
    .addOption(earlierName('--from <time>'))
    .addOption(earlierName('--to <time>'))
    .option('--dead-letters', 'only events whose delivery was given up');
}

function time<K extends string>(flags: Flags, flag: string, name: K): { [P in K]?: number } {
  const atMs = timeMs(flags, flag);
  return (atMs === undefined ? {} : { [name]: atMs }) as { [P in K]?: number };
}

/** Without the secrets. */
function shown({ secrets: _kept, progress, dead, ...rest }: WebhookView): object {
  const { failures, failingSinceMs } = progress;
  return { ...rest, deadLetters: dead, failures, failingSinceMs };
}

function row({ webhookId, url, types, isEnabled, disabledReason, waiting, dead }: WebhookView): string[] {
  const state = isEnabled ? 'on' : disabledReason === '' ? 'off' : `off: ${disabledReason}`;
  return [webhookId, url, types.join(' ') || 'all', state, `${waiting} waiting`, `${dead} given up`];
}

function changed(webhook: WebhookView): Result {
  return { value: shown(webhook), lines: table([row(webhook)], '') };
}
