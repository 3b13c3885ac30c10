-- The working minutes of a week without absences, public holidays and new working hours need one lookup in each table. Other weeks need the
-- sum of their days (behaviour §34.4).
create or replace function available_minutes(person bigint, monday date) returns integer language sql stable as $$
  select case
    when exists (select from absences o where o.user_id = person and o.last_day >= monday and o.first_day <= monday + 6)
      or exists (select from holidays y where y.region = coalesce(u.holiday_region, a.holiday_region) and y.day between monday and monday + 6)
      or exists (select from working_hours w where w.user_id = person and w.starts_on between monday + 1 and monday + 6)
    then available_between(person, monday, monday + 6)
    else coalesce((select w.weekly_minutes from working_hours w where w.user_id = person and w.starts_on <= monday
      order by w.starts_on desc limit 1), u.weekly_minutes)
  end from users u join accounts a on a.id = u.account_id where u.id = person
$$;
