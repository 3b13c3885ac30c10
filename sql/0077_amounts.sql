-- Amounts are bounded (src/items/schema.ts), so that no sum or score of stored rows can overflow. 0078 clamps rows beyond the bounds.
alter table items add constraint items_amounts check (
  (estimated_hours = 0 or estimated_hours between 1e-6 and 1e6)
  and (progress_percent = 0 or progress_percent between 1e-6 and 100)
  and (confidence = 0 or confidence between 1e-6 and 100)
  and (reach = 0 or reach between 1e-6 and 1e12)
  and (impact = 0 or impact between 1e-6 and 1e12)
  and (effort = 0 or effort between 1e-6 and 1e12)
  and (target = 0 or abs(target) between 1e-6 and 1e12)
  and (current = 0 or abs(current) between 1e-6 and 1e12)) not valid;
