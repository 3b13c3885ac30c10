/** Undo, offered in the notice of what one has just done: the address says which commit it was, so that it is there after a reload too
 *  (behaviour §23.3). Who else follows such an address has nothing to undo. */
import { button, iconLink } from './components/button.ts';
import { type Content, html } from './html.ts';
import { type FormContext, postForm } from './postForm.ts';

/** A commit: any item that it changed, with the version that it made. */
export interface Done {
  workspaceId: number;
  itemId: number;
  version: number;
}

/** The page to come back to, with what can be undone there. */
export const withUndo = (back: string, { workspaceId, itemId, version }: Done): string =>
  `${back}${back.includes('?') ? '&' : '?'}undo=${workspaceId}.${itemId}.${version}`;

const mark = /^([1-9]\d{0,15})\.([1-9]\d{0,15})\.([1-9]\d{0,8})$/;

/** With a cross that takes the notice away; null where the address says nothing to undo. `back`: this page, below the context path. */
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
