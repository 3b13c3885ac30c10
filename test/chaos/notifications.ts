/** Checks that a user who watches everything got one notification for every comment and status. */
import type { Postgres } from './postgres.ts';
import type { Once } from './report.ts';

/** From now on the browser user and the owner watch each new item from its commit on. */
export async function watchEverything(postgres: Postgres, email: string, ownerId: number): Promise<void> {
  await postgres.rows(`
    create function watch_new_item() returns trigger language plpgsql as $$ begin
      insert into item_watches (account_id, workspace_id, item_id, user_id, watching)
      select new.account_id, new.workspace_id, new.id, u.id, true from users u where u.email = '${email}' or u.id = ${ownerId};
      return new;
    end $$`);
  // Only people who have joined get mails.
  await postgres.rows(`update users set password_hash = 'set' where password_hash is null`);
  await postgres.rows('create trigger watch_new_item after insert on items for each row execute function watch_new_item()');
}

/** For archived items it is unknown what their watchers could see at the time. Imports notify no one. */
const due = `
  due as (
    select c.id, c.kind, h.user_id from changes c join items i on i.id = c.item_id and i.shown join item_watches h on h.item_id = i.id
    where h.user_id <> c.actor_id and c.via <> 'import' and (c.kind = 'comment.created' or c.kind <> 'item.created' and c.fields ?| array['status', 'statusKey'])
  )`;

export async function readNotificationCounts(postgres: Postgres): Promise<Once> {
  const rows = await postgres.rows(
    `with ${due} select d.id, d.kind, d.user_id, (select count(*) from notifications n where n.change_id = d.id and n.user_id = d.user_id)::int as times from due d`,
  );
  const doubled = await postgres.rows(
    `select change_id, item_id, due_on, user_id from notifications where change_id is not null or due_on is not null
     group by 1, 2, 3, 4 having count(*) > 1`,
  );
  const own = await postgres.rows(
    `select n.id from notifications n join changes c on c.id = n.change_id where c.actor_id = n.user_id or c.via = 'import'`,
  );
  return {
    expected: rows.length,
    lost: rows.filter(({ times }) => times === 0).map(({ id, kind, user_id }) => `${kind} ${id} to ${user_id}`),
    doubled: [
      ...doubled.map(({ change_id, item_id, user_id }) => `of change ${change_id} or item ${item_id} to ${user_id}`),
      ...own.map(({ id }) => `notification ${id} of one's own change or an import`),
    ],
  };
}
