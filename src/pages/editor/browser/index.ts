/** The rich editor as one script, whose exports are the global `stintEditor` (bundle.ts). */
import { markdownFormat, own } from '../markdown.ts';
import { noteFormat, shownNote } from './noteFormat.ts';
import { type Edited, edit, type Options } from './view.ts';

own.origin = location.origin;
own.path =
  document.currentScript instanceof HTMLScriptElement ? new URL(document.currentScript.src).pathname.split('/static/', 1).join() : '';

export const editMarkdown = (textarea: HTMLTextAreaElement, options: Options): Edited | null => edit(textarea, markdownFormat, options);
export const editNote = (textarea: HTMLTextAreaElement, options: Options): Edited | null => edit(textarea, noteFormat, options);
export { shownNote };
