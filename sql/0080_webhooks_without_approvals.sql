-- Webhooks no longer send approvals (behaviour §3.29). One that sent nothing else is paused, and its maker is notified.

alter table webhooks
  drop constraint webhooks_rests_because_check,
  add constraint webhooks_rests_because_check check (rests_because in ('failures', 'maker', 'secret', 'kinds'));

-- Never null, which means all.
update webhooks set kinds = array(select kind from unnest(kinds) kind where kind not like 'approval.%')
where kinds && array['approval.requested', 'approval.approved', 'approval.rejected', 'approval.withdrawn'];

with paused as (
  update webhooks set rests_since = now(), rests_because = 'kinds', holder = null, held_until = null, marked_at = null
  where kinds = '{}' and revoked_at is null
  returning id, account_id, workspace_id, user_id
)
insert into notifications (account_id, workspace_id, user_id, kind, webhook_id, due_at)
select p.account_id, p.workspace_id, p.user_id, 'webhook_rests', p.id, now()
from paused p join memberships m on m.user_id = p.user_id and m.workspace_id = p.workspace_id and coalesce(m.notices, '') <> 'off'
join users u on u.id = p.user_id and u.active
where not exists (select from notification_choices c where c.user_id = p.user_id and c.kind = 'webhook_rests' and c.choice = 'off');
