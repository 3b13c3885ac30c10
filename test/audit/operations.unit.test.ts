/** Every operation that changes something writes a line to the audit, or has a reason not to (behaviour §17.2). */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { emailOperations } from '../../src/accounts/emailChange.ts';
import { invitationOperations } from '../../src/accounts/invite.ts';
import { auditKindNames } from '../../src/audit/kinds.ts';
import type { Write } from '../../src/operations/operation.ts';
import { webhookOperations } from '../../src/webhooks/manage.ts';
import { suite } from '../support/suite.ts';

const test = suite(import.meta.url);

const root = fileURLToPath(new URL('../../', import.meta.url));
const work = 'the history of items and comments has these changes';
const own = "a person's own time, plans and notes are private";
const display = 'views change only the display of visible items';
const notSignedIn = 'it signs no one in and changes nothing';

/** Reasons for operations without a line. */
const notAudited: Record<string, string> = {
  ...{ addFile: work, removeFile: work, restoreFile: work, duplicateItem: work, moveItems: work, setSeries: work, stopSeries: work },
  ...{ applyTemplate: work, nameTemplate: 'its page shows it', removeTemplate: 'its page shows it', saveTemplate: 'its page shows it' },
  ...{ changeStar: own, recordOpened: own, arrangeBoard: own, deleteExport: own },
  ...{
    chooseImport: 'choices of an import; its start writes the line',
    cancelImport: 'its page shows it',
    resumeImport: 'its page shows it',
  },
  saveItem: work,
  saveLabelledItem: work,
  updateItem: work,
  updateItems: work,
  createItems: work,
  removeItem: work,
  restoreItem: work,
  archiveItems: work,
  undoChange: work,
  addComment: work,
  deleteComment: work,
  editComment: work,
  reactToComment: work,
  addProgressNote: work,
  replyToNotification: work,
  changeRelations: work,
  saveRelations: work,
  saveLabel: 'labels only describe work; the changes of each item name them',
  saveDescribedLabel: 'labels only describe work; the changes of each item name them',
  trackTime: own,
  logStretch: own,
  switchTimer: own,
  saveGrid: own,
  planBlock: own,
  restoreBlock: own,
  resumeTimer: own,
  undoEntry: own,
  snoozeNotification: own,
  returnNotification: own,
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
  saveView: display,
  hideColumns: display,
  changeView: display,
  removeView: display,
  markNotificationsRead: 'marking as read affects no other user',
  chooseNotifications: own,
  chooseForWorkspace: own,
  chooseTheme: own,
  stopMails: own,
  confirmSession: 'it adds no rights; the confirmed operation has a line',
  signOut: 'it ends only its own session',
  askForLink: 'its job writes the line, because it finds the user',
  testWebhook: 'a test message without content; the webhook itself has a line',
  resumeWebhook: 'the webhook is unchanged; its page shows it',
  sendAgain: 'an existing message; its page shows it',
  dismissFirstSteps: 'a personal display setting',
  noteFailedSignIn: `${notSignedIn}; its job writes the line`,
};

type Found = Write<object, object>;
const isWrite = (value: unknown): value is Found => typeof value === 'object' && value !== null && 'authorize' in value && 'name' in value;

async function writes(): Promise<Map<string, Found>> {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) =>
      /^(accounts|workspaces|connections|items|comments|notifications|time|plans|capacity|personal-notes|overviews|webhooks|changes|erasure|files|import|recurring|templates|moves)\//.test(
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
  t.deepEqual(
    [...found].filter(([name, { audit }]) => (audit === undefined) !== name in notAudited).map(([name]) => name),
    [],
  );
  for (const name of Object.keys(notAudited)) t.true(found.has(name), `${name} is gone`);
});

test('every audit kind is declared, with a unique label', async (t) => {
  for (const { audit } of (await writes()).values())
    for (const { kind } of Array.isArray(audit) ? audit : []) t.true(auditKindNames.includes(kind), kind);
});
