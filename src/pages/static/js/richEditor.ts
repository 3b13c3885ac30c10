// Loads the rich editor on first use, and puts it in place of a textarea.
import type { Edited, Options } from '../../editor/browser/view.ts';
import { uploadFiles } from './itemFiles.ts';
import { mentionsFor } from './mentions.ts';

const editors = new WeakMap<HTMLTextAreaElement, Edited>();
let loading: Promise<typeof stintEditor | null> | null = null;

/** Null without the script: the textarea stays. */
function load(src: string): NonNullable<typeof loading> {
  loading ??= new Promise((resolve) => {
    const script = document.createElement('script');
    script.src = src;
    script.onload = () => resolve(stintEditor);
    script.onerror = () => resolve(null);
    document.head.append(script);
  });
  return loading;
}

/** The editor of a textarea, or null if the text is edited as text. */
export async function enrich(field: HTMLTextAreaElement, options: Options): Promise<Edited | null> {
  const editor = await load(field.dataset.editor ?? '');
  if (!editor || !field.isConnected) return null;
  const open = editors.get(field);
  if (open?.dom.isConnected) return open;
  // A swap may have removed the editor from the page.
  unrich(field);
  const hadFocus = document.activeElement === field;
  const made = editor.editMarkdown(field, { ...options, mentions: mentionsFor, upload: uploadFiles });
  if (!made) return null;
  editors.set(field, made);
  if (hadFocus) made.focus();
  return made;
}

export function unrich(field: HTMLTextAreaElement): void {
  editors.get(field)?.destroy();
  editors.delete(field);
}
