import { z } from 'zod';
import { type ItemType, itemTypes } from '../access/rights.ts';
import { type Fragment, fixedSql } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { applies, linkNames, linkTargets } from './fields.ts';
import { visible } from './queries.ts';

export const LinkChoice = z.object({ id: z.number(), type: z.enum(itemTypes), title: z.string() });
export type LinkChoice = z.infer<typeof LinkChoice>;
export const MOST_CHOICES = 200;

export function linkTypes(type: ItemType): ItemType[] {
  const types = linkNames.filter((name) => applies(name, type)).flatMap((name) => linkTargets(name, type));
  return [...new Set(types)];
}

/** For a statement with `access`: visible open items of these types, at most MOST_CHOICES of each. */
const found = (types: Fragment) => sql.fragment`(
  select found.* from unnest(${types}) wanted (type)
  cross join lateral (
    select i.id, i.type, i.title from items i
    where i.type = wanted.type and not i.closed and ${visible} order by i.id desc limit ${MOST_CHOICES}
  ) found)`;
const byTitle = sql.fragment`order by c.type, lower(c.title), c.id`;

export const linkChoicesOf = (types: Fragment) => sql.fragment`(
  select coalesce(json_agg(json_build_object('id', c.id, 'type', c.type, 'title', c.title) ${byTitle}), '[]') from ${found(types)} c)`;

const typesOf = fixedSql(
  `case self.type ${itemTypes.map((type) => `when '${type}' then '{${linkTypes(type).join(',')}}'::text[]`).join(' ')} end`,
);

export const linkChoicesJson = linkChoicesOf(typesOf);
