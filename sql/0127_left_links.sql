-- Links that a change removed. The burn-up of a release finds the tasks that left it by them (behaviour §38.7).
create function left_links(fields jsonb) returns bigint[] language sql immutable parallel safe as $$
  select array_remove(array[(fields -> 'releaseId' ->> 0)::bigint, (fields -> 'requirementId' ->> 0)::bigint,
    (fields -> 'parentItemId' ->> 0)::bigint, (fields -> 'parentId' ->> 0)::bigint], null)
$$;
