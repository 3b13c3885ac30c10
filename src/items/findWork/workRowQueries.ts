/** A work item in lists for agents: a row of svc_find_work and of a requirement's tasks (behaviour §7.20). */
import { readsGoals } from '../../access/queries.ts';
import { type Fragment, fixedSql } from '../../database/db.ts';
import { sql } from '../../database/sql.ts';
import { fields, fieldsWith, type LinkName, type NamesWith } from '../fields.ts';
import type { Work, WorkFields } from '../schema.ts';

type RowFields = { [Name in NamesWith<'inRows'>]?: NonNullable<WorkFields[Name]> };

/** Unset fields are omitted. */
export interface WorkRow extends RowFields, Pick<Work, 'id' | 'type' | 'title' | 'status' | 'version' | 'ownerId'> {
  workspaceId: number;
  assigneeName?: string;
  /** The link that places it below the requested item (behaviour §7.32). */
  via?: { field: LinkName; id: number };
}

const rowFields = fixedSql(
  fieldsWith('inRows')
    .filter((name) => name !== 'goalId')
    .map((name) => `'${name}', i.${fields[name].column}`)
    .join(', '),
);

/** JSON of an items row `i` with assignee `a` (left join users a on a.id = i.assignee_id) and the caller's `access`. Omits nulls. */
export const workRowJson = (via: Fragment = sql.fragment`null::json`): Fragment => sql.fragment`json_strip_nulls(json_build_object(
  'id', i.id, 'workspaceId', i.workspace_id, 'type', i.type, 'title', i.title, 'status', i.status, ${rowFields},
  'goalId', case when ${readsGoals} then i.goal_id end, 'ownerId', i.owner_id, 'assigneeName', a.name, 'version', i.version, 'via', ${via}))`;
