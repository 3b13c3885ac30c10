/** The rich editor as one script, loaded when the first text is edited: `stint.editor(textarea, options)`. */
import { type Edited, edit, type MentionsOf, type Options } from './view.ts';

declare global {
  interface Window {
    stint: { editor?: (textarea: HTMLTextAreaElement, options?: Options) => Edited | null; mentions?: MentionsOf };
  }
}

window.stint.editor = edit;
