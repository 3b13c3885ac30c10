import type { ItemType } from '../../access/rights.ts';
import type { Config } from '../../config.ts';
import type { SignedIn } from '../../overviews/signedIn.ts';
import type { Clock } from './clock.ts';
import type { FormContext } from './postForm.ts';

export interface Frame extends FormContext {
  user: SignedIn | null;
  /** A key of `notices`, from ?notice=. */
  notice: string | undefined;
  /** The commit to undo, from ?undo= (undo.ts). */
  undo?: string | null;
  /** Path below the context path, and the query with "?", both without notice parameters. */
  path: string;
  search: string;
  clock: Clock;
  outboundHeld: boolean;
  /** Sealed position in the change feed; null if the page does not update live. */
  place: string | null;
  /** The page is the direct answer to a POST. */
  posted?: boolean;
  itemType?: ItemType | undefined;
}

export const isOutboundHeld = ({ outboundOff }: Config, user: SignedIn | null): boolean =>
  outboundOff || user?.frame?.outboundHeld === true;
