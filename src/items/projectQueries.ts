/** SQL of the project to which a task belongs in the forecast (behaviour §6.5, §6.6). Rows are named by their alias. */

/** The item with which a row counts: its project or one that leads to it. Null for a project and for work without one. */
export const countedWith = (row: string): string => `
  case ${row}.type when 'task' then coalesce(${row}.release_id, ${row}.requirement_id, ${row}.parent_item_id)
    when 'requirement' then coalesce(${row}.release_id, ${row}.parent_id) end`;

const ledBy = (row: string, parent: string) =>
  `${row}.parent_item_id = ${parent}.id and ${row}.type = 'task' and ${row}.shown and ${countedWith(row)} = ${parent}.id`;

/** The shown sub-tasks that count with their parent task, with the links of the nearest task above that has links of its own: rows of
 *  id, release_id, requirement_id, parent_item_id. `workspaces`: SQL of an array. Reads each sub-task once. */
export const ledTasks = (workspaces: string): string => `
  with recursive led (id, release_id, requirement_id, parent_item_id) as (
    select i.id, lead.release_id, lead.requirement_id, lead.parent_item_id
    from items i join items lead on lead.type = 'task' and ${ledBy('i', 'lead')}
    where i.workspace_id = any(${workspaces})
      and not exists (select from items above where above.type = 'task' and above.id = ${countedWith('lead')})
    union all
    select i.id, led.release_id, led.requirement_id, led.parent_item_id from led join items i on ${ledBy('i', 'led')}
  )
  select id, release_id, requirement_id, parent_item_id from led`;
