/** What the frame is made from, besides the page. */
import type { ItemType } from '../../access/rights.ts';
import type { SignedIn } from '../../accounts/sessions.ts';
import type { Config } from '../../config.ts';
import type { Clock } from './clock.ts';
import type { FormContext } from './postForm.ts';

export interface Frame extends FormContext {
  user: SignedIn | null;
  /** A code of `notices`, from ?notice=. */
  notice: string | undefined;
  /** What can be undone, from ?undo= (undo.ts). */
  undo?: string | null;
  /** Below the context path, and what follows the question mark, without the notice and what it is about. */
  path: string;
  search: string;
  clock: Clock;
  /** Mails, webhooks and reminders are held. */
  outboundHeld: boolean;
  /** Where in the changes the page is, sealed; null: it follows none. */
  place: string | null;
  /** The page is the answer to a form itself. */
  posted?: boolean;
  /** Of the work that the page is about. */
  itemType?: ItemType | undefined;
}

/** True while this process or the database holds mails, webhooks and reminders. */
export const isOutboundHeld = ({ outboundOff }: Config, user: SignedIn | null): boolean =>
  outboundOff || user?.frame?.outboundHeld === true;
