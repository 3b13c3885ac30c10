-- A person's working minutes from a day to another, both included (behaviour §34.4); those of a week are a case of it.
create function available_between(person bigint, first_day date, last_day date) returns integer language sql stable as $$
  select sum(floor((floor(h.minutes * before.n / h.n) - floor(h.minutes * (before.n - 1) / h.n)) * case
      when is_away(person, d.day) then 0
      when exists (select from absences o where o.user_id = person and d.day between o.first_day and o.last_day)
        or exists (select from holidays y where y.day = d.day and y.region = coalesce(u.holiday_region, a.holiday_region)) then 1
      else 2 end / 2))::integer
  from users u join accounts a on a.id = u.account_id
  cross join generate_series(0, least(last_day - first_day, 366)) place (n)
  cross join lateral (select first_day + place.n as day, extract(isodow from first_day + place.n)::integer - 1 as n) d
  cross join lateral (
    select case when dated.starts_on is null then u.weekly_minutes else dated.weekly_minutes end::numeric as minutes,
      coalesce(dated.weekdays, u.weekdays)::integer as bits
    from (select) one left join lateral (
      select * from working_hours w where w.user_id = u.id and w.starts_on <= d.day order by w.starts_on desc limit 1) dated on true) counted
  cross join lateral (select counted.minutes, counted.bits, bit_count(counted.bits::bit(8)) as n) h
  cross join lateral (select bit_count((h.bits & ((1 << (d.n + 1)) - 1))::bit(8)) as n) before
  where u.id = person and h.bits & (1 << d.n) > 0
$$;

create or replace function available_minutes(person bigint, monday date) returns integer language sql stable as $$
  select available_between(person, monday, monday + 6)
$$;
