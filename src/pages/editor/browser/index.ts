/** The rich editor as one script, loaded when the first text is edited: `stint.editor(textarea, options)`. */
import { type Edited, edit, type Options } from './view.ts';

declare global {
  interface Window {
    stint: { editor?: (textarea: HTMLTextAreaElement, options?: Options) => Edited | null; mentions?: MentionsOf };
  }
}

/** The list of people to mention, static/js/mentions.ts. */
export type MentionsOf = (
  field: HTMLElement,
  listId: string,
  caret: { before(): string; rect(): { left: number; top: number; bottom: number }; insert(length: number, name: string): void },
) => { refresh(): void; key(event: KeyboardEvent): boolean; close(): void };

window.stint.editor = edit;
