/** Undo in the notice after a change. The URL names the commit, so undo survives a reload (behaviour §23.3). */
import { button, iconLink } from './components/button.ts';
import { type Content, html } from './html.ts';
import { type FormContext, postForm } from './postForm.ts';

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
