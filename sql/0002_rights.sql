-- Rights are a bit set, so that "key and owner and workspace" is `&` (behaviour §3.7). Each resource has three bits: 1 read, 2 write, 4
-- delete. A level includes the lower ones. Three single rights follow. Resources in order: tasks requirements goals releases milestones
-- comments time plans (bits 0-23), then 24 workspaces:read, 25 capacity:read, 26 time oversight. src/access/rights.ts is the same table for
-- TypeScript.

create function level_bits(level text) returns integer
  language sql immutable parallel safe strict
  return case level when 'none' then 0 when 'read' then 1 when 'write' then 3 when 'delete' then 7 end;

create function resource_bits(resource text, level text) returns integer
  language sql immutable parallel safe strict
  return level_bits(level) <<
    (3 * (array_position(array['tasks', 'requirements', 'goals', 'releases', 'milestones', 'comments', 'time', 'plans'], resource) - 1));

-- The rights of a role before overrides. Any membership includes workspaces:read and capacity:read.
create function role_rights(role text) returns integer
  language sql immutable parallel safe strict
  return case replace(role, 'manager', 'owner')
    when 'owner' then (1 << 27) - 1 - resource_bits('comments', 'delete') + resource_bits('comments', 'write')
                       - resource_bits('time', 'delete') + resource_bits('time', 'write') - resource_bits('plans', 'delete') + resource_bits('plans', 'write')
    when 'member' then resource_bits('tasks', 'delete') + resource_bits('requirements', 'write') + resource_bits('goals', 'read')
                       + resource_bits('releases', 'read') + resource_bits('milestones', 'read') + resource_bits('comments', 'write')
                       + resource_bits('time', 'write') + resource_bits('plans', 'write') + (3 << 24)
    when 'viewer' then resource_bits('tasks', 'read') + resource_bits('requirements', 'read') + resource_bits('goals', 'read')
                       + resource_bits('releases', 'read') + resource_bits('milestones', 'read') + resource_bits('comments', 'read') + (3 << 24)
  end;

-- Overrides can only lower a role. Time oversight: on for owner and manager unless switched off, off for a member
-- unless switched on, never for a viewer.
create function member_rights(role text, overrides jsonb, time_oversight boolean) returns integer
  language sql immutable parallel safe
  return (
    (role_rights(role) & ~(1 << 26))
    & (select coalesce(bit_and(~resource_bits(key, 'delete') | resource_bits(key, value)), -1) from jsonb_each_text(overrides))
  ) | case when role <> 'viewer' and coalesce(time_oversight, role in ('owner', 'manager')) then 1 << 26 else 0 end;
