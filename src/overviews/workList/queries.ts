import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { accessTo } from '../../access/queries.ts';
import { bits, resourceOf } from '../../access/rights.ts';
import type { Fragment, Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { CredentialRefused } from '../../values/errors.ts';
import { readableTypes } from '../../workspaces/queries.ts';
import { FoundWork } from './foundWork.ts';
import { gather, orderOf } from './gatherQueries.ts';
import { aroundColumns } from './partQueries.ts';
import { ranked, rowJson } from './rowQueries.ts';
import type { ListWork } from './schema.ts';
import { isWalk, walk } from './walkQueries.ts';

const Found = FoundWork.extend({ next: z.array(z.unknown()).nullable() });

interface How {
  walks?: boolean;
  own?: Fragment;
}

/** If the caller is not a member, `membership` is null. Without the right to read the type there are no rows. Throws Unauthenticated. */
export async function readWorkList(tx: Tx, caller: Caller, wanted: ListWork, how: How = {}): Promise<z.infer<typeof Found>> {
  const { walks = isWalk(wanted), own } = how;
  const { type, limit, sort, reverse } = wanted;
  const order = orderOf(!walks && reverse && ['title', 'assignee', 'owner', 'version'].includes(sort));
  const readsType = bits(resourceOf(type), 'read');
  const row = await tx.maybeOne(sql.type(Found)`
    with ${accessTo(caller, wanted.workspaceId)},
    readable as (select ${readableTypes} as types from access),
    ${walks ? walk(wanted) : gather(wanted)},
    ${type === 'requirement' ? ranked : sql.fragment``}
    placed as (select *, row_number() over (order by ${order}) as place from page)
    select ${aroundColumns(wanted)}, readable.types,
      (select coalesce(json_agg(json_build_object('key', c.gkey, 'count', c.count, 'more', c.more, 'estimated', coalesce(c.estimated, 0),
        'remaining', coalesce(c.remaining, 0)) order by c.gn, c.gt), '[]') from counted c) as groups,
      (select coalesce(json_agg(${rowJson(type, sql.fragment`p.id`, sql.fragment`p.gkey`, own)} order by p.place), '[]')
        from placed p where p.place <= ${limit} and access.rights & ${readsType} <> 0) as rows,
      (select json_build_array(p.gn, p.gt, p.sn, p.st, p.d, p.r, p.id) from placed p
        where p.place = ${limit} and exists (select from placed where place > ${limit})) as next
    from access cross join readable`);
  if (!row) throw new CredentialRefused();
  return row;
}
