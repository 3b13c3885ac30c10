/** Checks that a user who watches everything got one notification for every comment and status. */
import type { Postgres } from './postgres.ts';
import { type Once, onceOf } from './report.ts';

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
  const rows = await postgres.rows(`
    select format('%s %s to %s', c.kind, c.id, h.user_id) as what, count(n.id)::int as times
    from changes c join items i on i.id = c.item_id and i.shown join item_watches h on h.item_id = i.id
    left join notifications n on n.change_id = c.id and n.user_id = h.user_id
    where h.user_id <> c.actor_id and c.via <> 'import'
      and (c.kind = 'comment.created' or c.kind <> 'item.created' and c.fields ?| array['status', 'statusKey'])
    group by c.id, h.user_id
    union all
    select format('%s, of an own change or an import', n.id), 2 from notifications n join changes c on c.id = n.change_id
    where c.actor_id = n.user_id or c.via = 'import'`);
  return onceOf(rows);
}
