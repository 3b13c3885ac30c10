-- no transaction
do $$
declare
  reached bigint := 0;
begin
  -- In batches, so that nobody waits for long. The item is locked first, as by whoever changes it.
  loop
    with batch as materialized (
      select i.id, i as item from items i where i.id > reached order by i.id limit 1000 for share
    ),
    filled as (
      update item_texts t set words = search_words(b.item) from batch b
      where ((b.item).acceptance is not null or (b.item).blocked_reason is not null) and t.workspace_id = (b.item).workspace_id and t.item_id = b.id
    )
    select max(id) into reached from batch;
    exit when reached is null;
    commit;
  end loop;
end $$;
