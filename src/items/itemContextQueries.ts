/** SQL about an item's context: its owner, its links, the items linked to it, and the history of its approval. */
import { z } from 'zod';
import { fixedSql, instantText } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { statuses } from '../workspaces/statuses.ts';
import { approvalActions } from './approvalQueries.ts';
import { LinkChoice } from './linkChoiceQueries.ts';
import { visible } from './queries.ts';

const Below = LinkChoice.extend({ status: z.enum(statuses), statusLabel: z.string(), assigneeName: z.string().nullable() });
const Approval = z.object({ action: z.enum(approvalActions), name: z.string(), at: z.string(), comment: z.string(), version: z.number() });
export const ItemContext = z.object({
  ownerName: z.string().nullable(),
  links: z.array(LinkChoice),
  /** The first 100 by id. */
  below: z.array(Below),
  /** Newest first. */
  approvals: z.array(Approval),
});
export type ItemContext = z.infer<typeof ItemContext>;

const approvedAt = fixedSql(instantText('p.at'));

/** For a statement with `access` and `self`, the row of an item that its caller can see: its ItemContext. */
export const itemContextJson = sql.fragment`json_build_object(
  'ownerName', (select u.name from users u where u.id = self.owner_id),
  'links', (select coalesce(json_agg(json_build_object('id', i.id, 'type', i.type, 'title', i.title)), '[]') from items i
    where i.id in (self.parent_id, self.parent_item_id, self.requirement_id, self.release_id, self.goal_id) and ${visible}),
  'below', (select coalesce(json_agg(json_build_object('id', i.id, 'type', i.type, 'title', i.title, 'status', i.status,
      'statusLabel', s.label, 'assigneeName', a.name) order by i.id), '[]')
    from (select i.* from items i where (i.parent_id = self.id or i.parent_item_id = self.id or i.requirement_id = self.id
        or i.release_id = self.id or i.goal_id = self.id) and ${visible} order by i.id limit 100) i
    join statuses s on s.workspace_id = i.workspace_id and s.key = i.status_key left join users a on a.id = i.assignee_id),
  'approvals', (select coalesce(json_agg(json_build_object('action', p.action, 'name', u.name, 'at', ${approvedAt}, 'comment', p.comment,
      'version', p.item_version) order by p.id desc), '[]')
    from approvals p join users u on u.id = p.user_id where p.item_id = self.id))`;
