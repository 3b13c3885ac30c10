/** The rich editor as one script: `stint.editor(textarea, options)` for Markdown, `stint.noteEditor` for the HTML of notes. */
import { markdownFormat, own } from '../markdown.ts';
import { noteFormat, shownNote } from './noteFormat.ts';
import type { Upload } from './paste.ts';
import { type Edited, edit, type MentionsOf, type Options } from './view.ts';

declare global {
  interface Window {
    stint: {
      editor?: (textarea: HTMLTextAreaElement, options?: Options) => Edited | null;
      noteEditor?: {
        edit(textarea: HTMLTextAreaElement, options?: Options): Edited | null;
        shown: typeof shownNote;
      };
      mentions?: MentionsOf;
      upload?: Upload;
      tell?(text: string): void;
      base?: string;
    };
  }
}

own.origin = location.origin;
own.path = window.stint.base ?? '';
window.stint.editor = (textarea, options) => edit(textarea, markdownFormat, options);
window.stint.noteEditor = {
  edit: (textarea, options) => edit(textarea, noteFormat, options),
  shown: shownNote,
};
