/** A format that the editor can open and write: Markdown (markdown.ts) and the HTML of notes (noteHtml.ts). */
import type { Node, Schema } from 'prosemirror-model';

export type NodeName =
  | ('doc' | 'text' | 'paragraph' | 'heading' | 'blockquote' | 'code_block' | 'horizontal_rule' | 'hard_break')
  | ('bullet_list' | 'ordered_list' | 'list_item' | 'table' | 'table_row' | 'table_cell' | 'table_header');
export type MarkName = 'strong' | 'em' | 'strike' | 'code' | 'link';
/** Tools for other nodes and marks are offered only by schemas that have them. */
export type EditorSchema = Schema<NodeName, MarkName>;

export interface Opened {
  doc: Node;
  /** The document as text. Of an unchanged document the text that was opened. */
  write(doc: Node): string;
}

export interface Format {
  schema: EditorSchema;
  /** Null if the editor would lose something: then the text is edited as text. */
  open(text: string): Opened | null;
  /** Blocks of a pasted plain text; null for its lines. */
  blocksOf(text: string): Node | null;
  isLink(address: string): boolean;
  /** Addresses become links when they are typed or pasted. */
  linksAddresses: boolean;
}
