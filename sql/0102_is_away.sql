-- Whether a person is away for the whole of a day: an absence or a public holiday. Half days don't count (behaviour §34).
create function is_away(person bigint, asked date) returns boolean language sql stable as $$
  select exists (select from absences o where o.user_id = person and not o.half and asked between o.first_day and o.last_day)
    or exists (
      select from users u join accounts a on a.id = u.account_id join holidays h on h.region = coalesce(u.holiday_region, a.holiday_region)
      where u.id = person and h.day = asked and not h.half)
$$;

-- The last day of the absence that covers a day; null without one.
create function away_until(person bigint, asked date) returns date language sql stable as $$
  select o.last_day from absences o where o.user_id = person and not o.half and asked between o.first_day and o.last_day
$$;
