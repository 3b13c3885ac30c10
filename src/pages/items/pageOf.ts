/** What the parts of an item's page are made from. */

import { type Clock, clockOf } from '../frame/clock.ts';
import { markdown } from '../frame/components/markdown.ts';
import { Fields } from '../frame/fields.ts';
import type { Html } from '../frame/html.ts';
import type { PageRequest } from '../frame/page.ts';
import type { Refusal } from '../frame/submitted.ts';
import { type Choices, formLabels } from './form.ts';
import { inList } from './neighbours.ts';
import { type OpenedItem, untilOf } from './open.ts';

export interface ItemPage {
  request: PageRequest;
  opened: OpenedItem;
  clock: Clock;
  /** Of the form that was refused, and what was typed into it; none of them is refused otherwise. */
  fieldsOf(form: FormName): Fields;
  /** The page's own address below the context path, to come back to. */
  here: string;
  /** Of an item shown in a list: `?in=…`, which its links carry on; else ''. */
  list: string;
  /** Of its history the latest before this moment; null for the latest of all. */
  until: string | null;
}

/** The forms of an item's page, by the end of their address. */
export type FormName = 'comments' | 'approval' | 'log' | 'plan';

export function pageOf(request: PageRequest, opened: OpenedItem, refusal?: Refusal): ItemPage {
  const sent = request.ctx.path.split('/').at(-1);
  const list = inList(request);
  return {
    request,
    opened,
    clock: clockOf(request),
    fieldsOf: (form) => new Fields(formLabels, refusal && sent === form ? { error: refusal.error, form: request.form } : undefined),
    here: `${opened.workspace.path}/items/${opened.item.id}${list}`,
    list,
    until: untilOf(request),
  };
}

/** Text as people write it, with what it speaks of. */
export const prose = ({ opened: { workspace, mentionable } }: ItemPage, text: string): Html =>
  markdown(text, { items: `${workspace.at}/items`, people: mentionable });

/** What the values of an item are told by. */
export const choicesOf = ({ item, options, context }: OpenedItem): Choices => ({
  type: item.type,
  options,
  targets: [],
  stored: item,
  links: context.links,
  ownerName: context.owner?.name ?? null,
});
