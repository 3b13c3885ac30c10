-- Replaced by items_by_id and items_by_due. Older code runs without them, but some of its lists are slower until it is replaced.
drop index if exists items_work_status, items_work_priority, items_list
