import type { Command } from 'commander';

import { newWebhook, webhookEdit } from '#shared/api/webhooks.ts';
import { notFound } from '#shared/api/problem.ts';
import { webhookEvents, type Webhook } from '#shared/model/webhook.ts';
import type { Context } from '#server/core/context.ts';
import type { Services } from '#server/core/services.ts';
import { contextForJob } from '#server/core/job.ts';
import {
  changeSecret,
  checkAddress,
  createWebhook,
  editWebhook,
  listDeliveries,
  listWebhooks,
  mustFindWebhook,
  removeWebhook,
  replayDead,
  testWebhook,
} from '#server/features/webhooks/store.ts';

import { problemOf } from './site-commands.ts';
import { table, type Answer } from './answers.ts';
import { dateText, type Runner } from './terminal.ts';

const events = Object.entries(webhookEvents).map(
  ([name, { description }]) => `  ${name.padEnd(28)}${description}`,
);
const eventHelp = `\nEvents:\n${events.join('\n')}`;

interface Options {
  events?: string;
  url?: string;
  description?: string;
  enable?: boolean;
  disable?: boolean;
}

/**
 * `benchbook webhook list|create|edit|secret|delete|test|deliveries|replay`.
 *
 * - CLI-6 Webhooks are added, changed, tested, replayed and deleted.
 */
export function addWebhookCommands(program: Command, runner: Runner): void {
  const webhook = program.command('webhook').description('Addresses that are told what happens');
  webhook
    .command('list')
    .description('List the webhooks')
    .action(runner.act(async (services) => listAnswer(await listWebhooks(services.storage.reader))));
  webhook
    .command('create')
    .description('Add a webhook; its secret is shown once')
    .argument('<url>')
    .requiredOption('--events <list>', 'events, separated by commas')
    .option('--description <text>', 'what it is for')
    .addHelpText('after', eventHelp)
    .action(runner.act(create));
  webhook
    .command('edit')
    .description('Change a webhook')
    .argument('<webhookid>')
    .option('--url <url>', 'another address')
    .option('--events <list>', 'other events, separated by commas')
    .option('--description <text>', 'what it is for')
    .option('--enable', 'tell it what happens again')
    .option('--disable', 'tell it nothing until it is enabled')
    .addHelpText('after', eventHelp)
    .action(runner.act(edit));
  webhook
    .command('secret')
    .description('Give a webhook another secret, from the next try on; it is shown once')
    .argument('<webhookid>')
    .action(
      onWebhook(runner, async (ctx, { webhookid }) => {
        const changed = await changeSecret(ctx, webhookid);
        const lines = [
          `Webhook ${webhookid} has another secret.`,
          `Secret, shown this once: ${changed.secret}`,
        ];
        return { data: changed, lines };
      }),
    );
  webhook
    .command('delete')
    .description('Delete a webhook and what waits for it')
    .argument('<webhookid>')
    .action(
      onWebhook(runner, async (ctx, { webhookid }) => {
        await removeWebhook(ctx, webhookid);
        return { data: { webhookid }, lines: [`Webhook ${webhookid} is deleted.`] };
      }),
    );
  webhook
    .command('test')
    .description('Send a test event; the running server delivers it within a second')
    .argument('<webhookid>')
    .action(
      onWebhook(runner, async (ctx, { webhookid }) => {
        const delivery = await testWebhook(ctx, webhookid);
        const lines = [`A test event waits for webhook ${webhookid}; see "benchbook webhook deliveries".`];
        return { data: delivery, lines };
      }),
    );
  webhook
    .command('deliveries')
    .description('List the last 50 deliveries of a webhook, newest first')
    .argument('<webhookid>')
    .action(onWebhook(runner, showDeliveries));
  webhook
    .command('replay')
    .description('Deliver again what was given up')
    .argument('<webhookid>')
    .action(
      onWebhook(runner, async (ctx, { webhookid }) => {
        const replayed = await replayDead(ctx, webhookid);
        return { data: { replayed }, lines: [`${replayed} of them are tried again.`] };
      }),
    );
}

function onWebhook(runner: Runner, work: (ctx: Context, found: Webhook) => Promise<Answer>) {
  return runner.act((services, id: string) =>
    contextForJob(services, null, async (ctx) => work(ctx, await mustFindWebhook(ctx.db, idOf(id)))),
  );
}

function idOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound('Webhook', `Webhook ${text}`);
  return Number(text);
}

function listAnswer(hooks: Webhook[]): Answer {
  const rows = hooks.map((one) => [
    String(one.webhookid),
    one.enabled ? 'enabled' : 'disabled',
    `${one.waiting} waiting`,
    `${one.dead} given up`,
    one.events.join(','),
    one.url,
    one.description,
  ]);
  return { data: hooks, lines: rows.length === 0 ? ['There are no webhooks.'] : table(rows) };
}

async function create(services: Services, url: string, options: Options): Promise<Answer> {
  const parsed = newWebhook.safeParse({
    url,
    events: listOf(options.events),
    description: options.description,
  });
  if (!parsed.success) throw problemOf(parsed.error);
  await checkAddress(services, url);
  const made = await contextForJob(services, null, (ctx) => createWebhook(ctx, parsed.data));
  const lines = [`Webhook ${made.webhookid} is added.`, `Secret, shown this once: ${made.secret}`];
  return { data: made, lines };
}

async function edit(services: Services, id: string, options: Options): Promise<Answer> {
  const { url, description } = options;
  const enabled = options.enable === true ? true : options.disable === true ? false : undefined;
  const parsed = webhookEdit.safeParse({ url, description, enabled, events: listOf(options.events) });
  if (!parsed.success) throw problemOf(parsed.error);
  await checkAddress(services, url);
  const changed = await contextForJob(services, null, async (ctx) => {
    const { webhookid } = await mustFindWebhook(ctx.db, idOf(id));
    return editWebhook(ctx, webhookid, parsed.data);
  });
  return { data: changed, lines: [`Webhook ${changed.webhookid} is changed.`] };
}

function listOf(text: string | undefined): string[] | undefined {
  return text?.split(',').map((name) => name.trim());
}

async function showDeliveries(ctx: Context, { webhookid }: Webhook): Promise<Answer> {
  const deliveries = await listDeliveries(ctx, webhookid, { limit: 50, offset: 0 });
  const rows = deliveries.map((one) => [
    String(one.deliveryid),
    dateText(one.created_date),
    one.event,
    one.status === 'dead' ? 'given up' : one.status,
    `${one.attempts} tries`,
    one.last_error ?? '',
  ]);
  return { data: deliveries, lines: rows.length === 0 ? ['Nothing was delivered yet.'] : table(rows) };
}
