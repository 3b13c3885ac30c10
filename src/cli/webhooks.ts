import { z } from 'zod';
import { auditCommand, operator } from '../audit/audit.ts';
import { makeWebhook, revoke as revokeOne, rotate as rotateOne, test as testOne } from '../webhooks/manage.ts';
import { listAllWebhooks } from '../webhooks/queries.ts';
import { command, option } from './command.ts';
import { PAGE } from './listQueries.ts';
import { id, optionalId, webhookKinds } from './options.ts';
import { after, pageOf, printPage } from './paging.ts';

const webhook = id('webhook');

export const create = command({
  summary: 'a webhook; the secret that signs what it sends is printed this once',
  options: {
    workspace: id('workspace'),
    user: id('owner or manager of the workspace whose rights it has'),
    url: option(z.string({ error: 'is required' }), 'URL', 'where it sends to: https, at a public address'),
    kinds: webhookKinds,
  },
  note: 'The environment is that of the service: SECRET_KEY, and WEBHOOK_PRIVATE_ADDRESSES=on where it may go to private addresses.',
  async run(context, { workspace, user, url, kinds }) {
    const settings = context.webhooks();
    const db = await context.db();
    return db.transaction((tx) =>
      auditCommand(
        tx,
        operator(),
        'webhook.made',
        ({ id: made }) => ({ type: 'webhook', id: made }),
        () => makeWebhook(tx, settings, { workspaceId: workspace, userId: user, url, kinds }),
      ),
    );
  },
});

export const list = command({
  summary: 'webhooks without their secrets, revoked ones too',
  options: {
    workspace: optionalId('only those of the workspace'),
    after,
  },
  async run(context, { workspace, after: last = 0 }) {
    const db = await context.db();
    return pageOf('webhooks', await listAllWebhooks(db.pool(), workspace, last, PAGE + 1), (one) => one.id);
  },
  print: printPage('webhooks'),
});

export const rotate = command({
  summary: 'a new secret for a webhook, printed this once; the old one signs beside it for a day',
  options: { webhook },
  async run(context, values) {
    const settings = context.webhooks();
    const db = await context.db();
    return db.transaction((tx) =>
      auditCommand(
        tx,
        operator(),
        'webhook.rotated',
        { type: 'webhook', id: values.webhook },
        () => rotateOne(tx, settings, 'everything', values.webhook),
        true,
      ),
    );
  },
});

export const test = command({
  summary: 'send a test; the page of the webhook shows what was answered',
  options: { webhook },
  async run(context, values) {
    const db = await context.db();
    return { id: values.webhook, delivery: await db.transaction((tx) => testOne(tx, 'everything', values.webhook)) };
  },
});

export const revoke = command({
  summary: 'end a webhook for good, at once',
  options: { webhook },
  async run(context, values) {
    const db = await context.db();
    await db.transaction((tx) =>
      auditCommand(tx, operator(), 'webhook.revoked', { type: 'webhook', id: values.webhook }, () =>
        revokeOne(tx, 'everything', values.webhook),
      ),
    );
    return { id: values.webhook, revoked: true };
  },
});
