/** SQL about the items that another one can be linked to. */
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { accessTo } from '../access/queries.ts';
import { type ItemType, itemTypes } from '../access/rights.ts';
import type { Tx } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { applies, linkNames, linkTargets } from './fields.ts';
import { visible } from './queries.ts';

export const LinkChoice = z.object({ id: z.number(), type: z.enum(itemTypes), title: z.string() });
export type LinkChoice = z.infer<typeof LinkChoice>;
export const MOST_CHOICES = 200;

/** The types that an item of a type can be linked to. */
export function linkTypes(type: ItemType): ItemType[] {
  const types = linkNames.filter((name) => applies(name, type)).flatMap((name) => linkTargets[name](type));
  return [...new Set(types)];
}

/** Open items of these types that the caller can see; at most MOST_CHOICES of each type. Nothing without access. */
export async function readLinkChoices(tx: Tx, caller: Caller, workspaceId: number, types: ItemType[]): Promise<readonly LinkChoice[]> {
  return tx.any(sql.type(LinkChoice)`
    with ${accessTo(caller, workspaceId)}
    select found.id, found.type, found.title
    from access, unnest(${sql.array(types, 'text')}) wanted (type)
    cross join lateral (
      select i.id, i.type, i.title from items i
      where i.type = wanted.type and not i.closed and ${visible} order by i.id desc limit ${MOST_CHOICES}
    ) found
    order by found.type, lower(found.title), found.id`);
}
