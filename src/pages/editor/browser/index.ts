/** The rich editor as one script, loaded when the first text is edited: `stint.editor(textarea, options)`. */
import { own } from '../markdown.ts';
import type { Upload } from './paste.ts';
import { type Edited, edit, type MentionsOf, type Options } from './view.ts';

declare global {
  interface Window {
    stint: {
      editor?: (textarea: HTMLTextAreaElement, options?: Options) => Edited | null;
      mentions?: MentionsOf;
      upload?: Upload;
      tell?(text: string): void;
      base?: string;
    };
  }
}

own.origin = location.origin;
own.path = window.stint.base ?? '';
window.stint.editor = edit;
