import { z } from 'zod';
import { auditCommand, operator } from '../audit/audit.ts';
import { makeWebhook, revoke as revokeOne, rotate as rotateOne, test as testOne } from '../webhooks/manage.ts';
import { listAllWebhooks } from '../webhooks/queries.ts';
import { command, option } from './command.ts';
import { PAGE } from './listQueries.ts';
import { id, optionalId, webhookFormat, webhookKinds } from './options.ts';
import { after, pageOf, printPage } from './paging.ts';

const webhook = id('webhook');

export const create = command({
  summary: 'create a webhook; its signing secret is printed only once',
  options: {
    workspace: id('workspace'),
    user: id('owner or manager of the workspace whose rights the webhook uses'),
    url: option(z.string({ error: 'is required' }), 'URL', 'URL of the receiver: https, at a public address'),
    kinds: webhookKinds,
    format: webhookFormat,
  },
  note: 'Use the environment of the service: SECRET_KEY, and WEBHOOK_PRIVATE_ADDRESSES=on for private addresses.',
  async run(context, { workspace, user, ...given }) {
    const settings = context.webhooks();
    const db = await context.db();
    return db.transaction((tx) =>
      auditCommand(
        tx,
        operator(),
        'webhook.made',
        ({ id: made }) => ({ type: 'webhook', id: made }),
        () => makeWebhook(tx, settings, { workspaceId: workspace, userId: user, ...given }),
      ),
    );
  },
});

export const list = command({
  summary: 'list webhooks without secrets, including revoked ones',
  options: {
    workspace: optionalId('only of this workspace'),
    after,
  },
  async run(context, { workspace, after: last = 0 }) {
    const db = await context.db();
    return pageOf('webhooks', await listAllWebhooks(db.pool(), workspace, last, PAGE + 1), (one) => one.id);
  },
  print: printPage('webhooks'),
});

export const rotate = command({
  summary: 'create a new secret for a webhook, printed only once; messages have both signatures for 24 hours',
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
  summary: 'send a test message; the page of the webhook shows the response',
  options: { webhook },
  async run(context, values) {
    const db = await context.db();
    return { id: values.webhook, delivery: await db.transaction((tx) => testOne(tx, 'everything', values.webhook)) };
  },
});

export const revoke = command({
  summary: 'revoke a webhook immediately and permanently',
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
