import { z } from 'zod';
import { fixedSql, instantText } from '../database/db.ts';
import { sql } from '../database/sql.ts';
import { approvalActions } from './approvalQueries.ts';
import { Person, personJson } from './belowTreeQueries.ts';
import { LinkChoice } from './placeQueries.ts';
import { visible } from './queries.ts';

const Approval = z.object({ action: z.enum(approvalActions), by: Person, at: z.string(), comment: z.string(), version: z.number() });
export type Approval = z.infer<typeof Approval>;
export const ItemContext = z.object({
  owner: Person.nullable(),
  assignee: Person.nullable(),
  links: z.array(LinkChoice),
  approvals: z.array(Approval),
});
export type ItemContext = z.infer<typeof ItemContext>;

const approvedAt = fixedSql(instantText('p.at'));

const MOST_APPROVALS = 100;
const MOST_CHARACTERS = 100_000;

export const itemContextJson = sql.fragment`json_build_object(
  'owner', (select ${personJson(sql.fragment`self.workspace_id`)} from users u where u.id = self.owner_id),
  'assignee', (select ${personJson(sql.fragment`self.workspace_id`)} from users u where u.id = self.assignee_id),
  'links', (select coalesce(json_agg(json_build_object('id', i.id, 'type', i.type, 'title', i.title)), '[]') from items i
    where i.id in (self.parent_id, self.parent_item_id, self.requirement_id, self.release_id, self.goal_id) and ${visible}),
  'approvals', (select coalesce(json_agg(json_build_object('action', p.action, 'by', ${personJson(sql.fragment`self.workspace_id`)}, 'at', ${approvedAt}, 'comment', p.comment,
      'version', p.item_version) order by p.id desc), '[]')
    from (select *, sum(length(comment)) over (order by id desc rows between unbounded preceding and 1 preceding) as characters_after
        from (select * from approvals p where p.item_id = self.id order by p.id desc limit ${MOST_APPROVALS}) latest) p
      join users u on u.id = p.user_id where coalesce(p.characters_after, 0) < ${MOST_CHARACTERS}))`;
