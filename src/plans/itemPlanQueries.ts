/** SQL of the reader's planned time on an item and on the work below it (behaviour §21.10). */
import { z } from 'zod';
import { bits } from '../access/rights.ts';
import { sql } from '../database/sql.ts';

export const ItemPlan = z.object({
  minutes: z.number(),
  next: z.string(),
});
export type ItemPlan = z.infer<typeof ItemPlan>;

export const itemPlanJson = sql.fragment`(
  select json_build_object('minutes', sum(extract(epoch from b.ends_at - greatest(b.starts_at, now())) / 60)::integer, 'next', min(b.starts_at))
  from plan_blocks b
  where access.rights & ${bits('plans', 'read')} <> 0 and b.user_id = access.user_id and b.workspace_id = access.workspace_id
    and b.state in ('scheduled', 'running') and b.starts_at > now() - interval '24 hours' and b.ends_at > now()
    and (b.item_id = self.id or b.item_id in (select id from below_ids))
  having count(*) > 0)`;
