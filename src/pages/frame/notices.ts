import { button, iconLink } from './components/button.ts';
import { type Content, html } from './html.ts';
import { type FormContext, postForm } from './postForm.ts';

/** Texts for ?notice=. Unknown keys show nothing. */
export const notices: Readonly<Record<string, string>> = {
  ended: 'Your session has ended, so nothing was saved. Sign in, then send the form again.',
  welcomed: 'This link was already used or has expired. Sign in.',
  saved: 'Saved.',
  putAway: 'Dismissed. Workspaces, people and agents are in the menu.',
  addressAsked: 'We have sent a link to your new address. Open it to confirm the change.',
  addressChanged: 'Your email address is changed. Sign in with the new address.',
  created: 'Created.',
  added: 'Added.',
  changed: 'Updated.',
  undone: 'Undone.',
  nothing: 'There were no changes to save.',
  revoked: 'Revoked. The key no longer works.',
  sent: 'The message is being sent. The list below shows the response.',
  goesOn: 'Resumed. Waiting messages are sent now.',
  webhookRevoked: 'Revoked. No more messages are sent.',
  disconnected: 'The agent is disconnected from this workspace.',
  deactivated: 'Deactivated. Their keys and sessions no longer work.',
  activated: 'Activated. Their old keys and agents stay revoked. Create new ones.',
  erased: 'Erased. Their name is removed from other records within minutes.',
  accountErased: 'The account will be erased in 30 days. Until then, an owner can sign in to restore it.',
  removed: 'Removed.',
  archived: 'Archived.',
  unarchived: 'Restored.',
  commented: 'Comment added.',
  approved: 'Approved.',
  rejected: 'Rejected.',
  requested: 'Approval requested.',
  read: 'Marked as read.',
  watched: 'Watching. You will be notified of comments and status changes.',
  unwatched: 'No longer watching. You still get mentions, assignments and approvals.',
  sessionEnded: 'Session ended.',
  signedOut: 'You are signed out everywhere.',
  password: 'Password changed. Other sessions have been signed out.',
  deleted: 'Deleted.',
  started: 'Timer started.',
  stopped: 'Timer stopped.',
  logged: 'Time logged.',
  planned: 'Time planned.',
  switched: 'Timer switched.',
};

// Undo in the notice after a change. The URL names the commit, so undo survives a reload (behaviour §23.3).

/** A commit, named by any item that it changed and the version it created. */
export interface Done {
  workspaceId: number;
  itemId: number;
  version: number;
}

export const withUndo = (back: string, { workspaceId, itemId, version }: Done): string =>
  `${back}${back.includes('?') ? '&' : '?'}undo=${workspaceId}.${itemId}.${version}`;

const mark = /^([1-9]\d{0,15})\.([1-9]\d{0,15})\.([1-9]\d{0,8})$/;

/** The undo form with a close button; null if the URL names no commit. `back`: this page, below the context path. */
export function undoForm(context: FormContext, asked: string | null, back: string): Content {
  const [, workspaceId, itemId, version] = mark.exec(asked ?? '') ?? [];
  if (!version) return null;
  const form = postForm(
    context,
    { action: `/workspaces/${workspaceId}/undo`, hidden: { itemId, version, back }, live: '#work' },
    button('Undo', { small: true, icon: 'undo-2', class: 'undo' }),
  );
  return html`${form}${iconLink(context.basePath + back, 'x', 'Close', { size: 's', attributes: html` data-close-notice` })}`;
}
