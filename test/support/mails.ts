/** Every mail of the service, with hostile words in every value. */
import { emailChangedMail, emailChangeMail } from '../../src/accounts/emailChange.ts';
import type { OpenInvitation } from '../../src/accounts/invitationQueries.ts';
import { invitationMail } from '../../src/accounts/invitations.ts';
import type { Mail } from '../../src/mailer.ts';
import { notificationMail } from '../../src/notifications/mail.ts';
import { digestMail } from '../../src/notifications/mailDigest.ts';
import { kinds, type MailedRow } from '../../src/notifications/schema.ts';

export const HOSTILE = `'"><script>x()</script><img src=x onerror=x()></td></table><b>bold`;
const at = '2026-11-23T08:00:00.000Z';
const settings = {
  ...{ secretKey: 'k'.repeat(32), secretKeyPrevious: undefined, baseUrl: 'https://work.example/stint' },
  mail: { smtpUrl: undefined, from: 'stint@work.example' },
};
const to = 'ana@acme.example';

const written: readonly MailedRow['kind'][] = ['mentioned', 'commented', 'approval_requested', 'approval_decided'];

const summary: MailedRow['summary'] = [
  {
    ...{ item_id: 5, item_title: `Spring ${HOSTILE}`, workspace_id: 7, outlook: 'overcommitted' },
    ...{ forecastDate: '2026-12-15', targetDate: '2026-12-11', before: { outlook: 'at_risk', forecastDate: '2026-12-10' } },
  },
  {
    ...{ item_id: 6, item_title: 'Open day', workspace_id: 7, outlook: 'within_capacity' },
    ...{ forecastDate: '2026-12-01', targetDate: '2026-12-11', before: { outlook: 'within_capacity', forecastDate: '2026-12-01' } },
  },
];

const rowOf = (kind: MailedRow['kind']): MailedRow => {
  const ofWork = !kind.startsWith('password') && kind !== 'webhook_rests' && kind !== 'outlook_week';
  return {
    ...{ id: 1, kind, created_at: at, read_at: null, snoozed_until: null, due_at: at, workspace_id: 7, block_id: null, entry_id: null },
    ...{
      start_local: '2026-11-23T09:00',
      end_local: '2026-11-23T10:00',
      timezone: 'Europe/Lisbon',
      reason: 'The timer ran on #3.',
      started_at: at,
    },
    ...{ made_by: HOSTILE, item_id: ofWork ? 24 : null, item_title: ofWork ? `Price of a vehicle ${HOSTILE}` : null, due_on: '2026-11-24' },
    ...{ webhook_id: kind === 'webhook_rests' ? 3 : null, webhook_url: 'https://hooks.example/x', rests_because: 'failures' },
    ...{
      actor: `Bo Madsen ${HOSTILE}`,
      actor_id: 1,
      actor_kind: 'person',
      via: 'agent',
      credential: HOSTILE,
      approved: false,
      comment_id: 5,
    },
    ...{ status_before: 'Planned', status_after: HOSTILE, workspace_name: ofWork ? `Ferry booking ${HOSTILE}` : null },
    ...{ away_name: HOSTILE, away_until: '2027-01-04' },
    outlook: kind === 'outlook' ? { outlook: 'at_risk', forecastDate: '2026-12-10', targetDate: '2026-12-11' } : null,
    summary: kind === 'outlook_week' ? summary : null,
    item_version: null,
    message_begins: written.includes(kind) ? `Please look.\n\n${HOSTILE} ${'and so on '.repeat(60)}` : null,
  };
};

const invitation: OpenInvitation = {
  ...{ id: 4, nonce: 'n', userId: 2, email: to, name: HOSTILE, accountName: `Island Ferries ${HOSTILE}` },
  ...{ known: false, forgotten: false, maker: `Ana ${HOSTILE}`, workspaces: ['Ferry booking', HOSTILE] },
};
const change = { name: HOSTILE, email: 'new@acme.example', oldEmail: to, accountName: 'Island Ferries' };
const link = 'https://work.example/stint/invitation?i=4&t=abc';

export const mails: Readonly<Record<string, Mail>> = {
  ...Object.fromEntries(kinds.map((kind) => [kind, notificationMail(settings, { to, userId: 2, lines: [rowOf(kind)] })])),
  eightAssigned: notificationMail(settings, { to, userId: 2, lines: Array.from({ length: 8 }, () => rowOf('assigned')) }),
  digest: digestMail(settings, {
    to,
    userId: 2,
    day: '2026-11-23',
    lines: kinds.flatMap((kind) => Array.from({ length: 4 }, () => rowOf(kind))),
  }),
  invitation: invitationMail(invitation, link),
  password: invitationMail({ ...invitation, known: true, workspaces: [] }, link),
  forgotten: invitationMail({ ...invitation, known: true, forgotten: true, workspaces: [] }, link),
  address: emailChangeMail(change, 'https://work.example/stint/email?i=4&t=abc'),
  addressChanged: emailChangedMail(change, settings.baseUrl),
};
