/** What the parts of an item's page are made from. */

import type { ItemType } from '../../access/rights.ts';
import { hereOf } from '../frame/back.ts';
import { type Clock, clockOf } from '../frame/clock.ts';
import { Fields } from '../frame/fields.ts';
import { type Prose, proseOf } from '../frame/formatting/prose.ts';
import type { PageRequest } from '../frame/page.ts';
import type { Refusal } from '../frame/submitted.ts';
import { mayWork } from '../workspace/openWorkspace.ts';
import { type Choices, formLabels } from './form.ts';
import type { InPlace } from './inPlace.ts';
import { inList, listFields } from './neighbours.ts';
import { type OpenedItem, untilOf } from './open.ts';

export interface ItemPage {
  request: PageRequest;
  opened: OpenedItem;
  clock: Clock;
  /** Of the form that was refused, and what was typed into it; none of them is refused otherwise. */
  fieldsOf(form: FormName): Fields;
  /** Of the links that change a value where it stands; for items of a type. */
  inPlace(type: ItemType): InPlace;
  /** This page, to come back to. */
  back: string;
  /** Of an item shown in a list: `?in=…`, which its links carry on; else ''. */
  list: string;
  /** The same, to go along with its forms. */
  listFields: Record<string, string>;
  /** Of its history the latest before this moment; null for the latest of all. */
  until: string | null;
  /** The item's Markdown texts, its comments and the messages of its approval. */
  prose: Prose;
}

/** The forms of an item's page, by the end of their address. */
export type FormName = 'comments' | 'approval' | 'log' | 'plan';

export async function pageOf(request: PageRequest, opened: OpenedItem, refusal?: Refusal): Promise<ItemPage> {
  const sent = request.ctx.path.split('/').at(-1);
  const list = inList(request);
  const { workspace } = opened;
  const own = `${workspace.path}/items/${opened.item.id}`;
  return {
    request,
    opened,
    clock: clockOf(request),
    fieldsOf: (form) => new Fields(formLabels, refusal && sent === form ? { error: refusal.error, form: request.form } : undefined),
    // A form that was refused has an address of its own: nobody comes back to that.
    back: request.ctx.path === request.basePath + own ? hereOf(request) : own + list,
    inPlace: (type) => ({ at: workspace.at, may: mayWork(workspace, type, 'write') }),
    list,
    listFields: listFields(request),
    until: untilOf(request),
    prose: await proseOf(request, {
      at: opened.at,
      links: { items: `${workspace.at}/items`, people: opened.mentionable },
      texts: textsOf(opened),
    }),
  };
}

const textsOf = ({ item, approved, notes, context }: OpenedItem) => [
  ...[item.description, item.fields.acceptance, approved?.description, approved?.acceptance].map((text) => String(text ?? '')),
  ...(notes ?? []).map(({ body }) => body),
  ...context.approvals.map(({ comment }) => comment),
];

/** What the values of an item are told by. */
export const choicesOf = ({ item, options, context }: OpenedItem): Choices => ({
  type: item.type,
  options,
  targets: [],
  stored: item,
  links: context.links,
  ownerName: context.owner?.name ?? null,
});
