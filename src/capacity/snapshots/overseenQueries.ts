import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { accessToAll } from '../../access/queries.ts';
import { CAPACITY_RIGHTS } from '../../access/rights.ts';
import type { Tx } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { CredentialRefused } from '../../values/errors.ts';
import { containsPattern } from '../../values/pattern.ts';

const MOST = 50;

const Overseen = z.object({ id: z.number(), name: z.string() });
export type Overseen = z.infer<typeof Overseen>;

const Page = z.object({ workspaces: z.array(Overseen), more: z.boolean() });
export type OverseenPage = z.infer<typeof Page>;

/** Workspaces with `q` in their name, sorted by name. Throws Unauthenticated. */
export async function readOverseen(tx: Tx, caller: Caller, q: string): Promise<OverseenPage> {
  const page = await tx.maybeOne(sql.type(Page)`
    with ${accessToAll(caller)}
    select coalesce(json_agg(json_build_object('id', w.id, 'name', w.name) order by lower(w.name), w.id) filter (where w.place <= ${MOST}), '[]') as workspaces,
           count(w.id) > ${MOST} as more
    from who left join (
      select w.id, w.name, row_number() over (order by lower(w.name), w.id) as place
      from access join workspaces w on w.id = access.workspace_id
      where access.rights & ${CAPACITY_RIGHTS} = ${CAPACITY_RIGHTS} and lower(w.name) like lower(${containsPattern(q)}::text)
      order by lower(w.name), w.id limit ${MOST + 1}
    ) w on true
    group by who.user_id`);
  if (!page) throw new CredentialRefused();
  return page;
}
