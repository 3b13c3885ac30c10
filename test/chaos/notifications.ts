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
export async function readNotifications(postgres: Postgres): Promise<Once> {
  const due = await postgres.rows(`
    select c.id, c.kind, h.user_id, exists (select from notifications n where n.change_id = c.id and n.user_id = h.user_id) as told
    from changes c join items i on i.id = c.item_id and i.shown join item_watches h on h.item_id = i.id
    where h.user_id <> c.actor_id and c.via <> 'import'
      and (c.kind = 'comment.created' or c.kind <> 'item.created' and c.fields ?| array['status', 'statusKey'])`);
  // Unique indexes prevent a second one.
  const wrong = await postgres.rows(`
    select format('notification %s of an own change or an import', n.id) as told from notifications n join changes c on c.id = n.change_id
    where c.actor_id = n.user_id or c.via = 'import'`);
  return {
    expected: due.length,
    lost: due.filter(({ told }) => !told).map(({ id, kind, user_id }) => `${kind} ${id} to ${user_id}`),
    doubled: wrong.map(({ told }) => told),
  };
}
