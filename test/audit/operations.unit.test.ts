/** Every operation that changes something writes a line to the audit, or has a reason not to (behaviour §17.2). */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import test from 'ava';
import { emailOperations } from '../../src/accounts/emailChange.ts';
import { invitationOperations } from '../../src/accounts/invite.ts';
import { auditKindNames } from '../../src/audit/kinds.ts';
import type { Write } from '../../src/operations/operation.ts';
import { webhookOperations } from '../../src/webhooks/manage.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const work = 'what changes of items and comments stands in their history';
const own = "a person's own time, plans and notes are theirs alone";
const kept = 'how somebody looks at work; it gives nobody anything that they could not see';
const door = 'nobody has come in by it, and nothing has changed';

/** Reasons for operations without a line. */
const untold: Record<string, string> = {
  saveItem: work,
  updateItem: work,
  updateItems: work,
  createItems: work,
  removeItem: work,
  restoreItem: work,
  archiveItems: work,
  undoChange: work,
  addComment: work,
  addProgressNote: work,
  trackTime: own,
  logStretch: own,
  switchTimer: own,
  saveGrid: own,
  planBlock: own,
  createNote: own,
  updateNote: own,
  moveNote: own,
  lockNote: own,
  unlockNote: own,
  saveLockedNote: own,
  createEncryptedNote: own,
  encryptNote: own,
  decryptNote: own,
  addAttachment: own,
  createFolder: own,
  renameFolder: own,
  markNotificationRead: own,
  watchItem: own,
  saveView: kept,
  changeView: kept,
  removeView: kept,
  markNotificationsRead: 'reading is no change that anybody else could mind',
  chooseNotifications: own,
  chooseForWorkspace: own,
  chooseTheme: own,
  stopMails: own,
  confirmSession: 'it gives nothing that the session did not have; what it was asked for is told',
  signOut: 'one session, ended where it began',
  askForLink: 'told by its job, which finds out whom it is about',
  testWebhook: 'a message that says nothing; the webhook itself is told',
  resumeWebhook: 'it goes on as it was made; its page shows it',
  sendAgain: 'a message that was to be sent anyway; its page shows it',
  dismissFirstSteps: 'what one is shown oneself',
  noteFailedSignIn: `${door}; its job tells it`,
};

type Found = Write<object, object, object>;
const isWrite = (value: unknown): value is Found => typeof value === 'object' && value !== null && 'authorize' in value && 'name' in value;

async function writes(): Promise<Map<string, Found>> {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) =>
      /^(accounts|workspaces|connections|items|comments|notifications|time|plans|capacity|personal-notes|overviews|webhooks|changes|erasure)\//.test(
        name,
      ),
    )
    .filter((name) => name.endsWith('.ts') && !/Thread\.ts$/.test(name));
  const modules = await Promise.all(files.map((name) => import(pathToFileURL(join(root, 'src', name)).href)));
  const made = invitationOperations({ secretKey: 'x'.repeat(32), baseUrl: 'https://stint.example', mail: { smtpUrl: undefined } });
  const emails = emailOperations({ secretKey: 'x'.repeat(32), baseUrl: 'https://stint.example', mail: { smtpUrl: undefined } });
  const hooks = webhookOperations({ secretKey: 'x'.repeat(32), webhookPrivateAddresses: false } as never);
  const all = [
    ...modules.flatMap((module) => Object.values(module as object)),
    ...Object.values(made),
    ...Object.values(emails),
    ...Object.values(hooks),
  ].filter(isWrite);
  return new Map(all.map((write) => [write.name, write]));
}

test('every operation that changes something writes an audit line or has a reason not to', async (t) => {
  const found = await writes();
  t.true(found.size > 40, String(found.size));
  for (const [name, { audit }] of found) t.true((audit === undefined) === name in untold, name);
  for (const name of Object.keys(untold)) t.true(found.has(name), `${name} is gone`);
});

test('every audit kind is declared, with a unique label', async (t) => {
  for (const { audit } of (await writes()).values())
    for (const { kind } of Array.isArray(audit) ? audit : []) t.true(auditKindNames.includes(kind), kind);
});
