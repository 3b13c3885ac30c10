create function pg_temp.clamped(amount double precision, most double precision) returns double precision
  language sql immutable as $$ select case when abs(amount) < 1e-6 then 0 else greatest(-most, least(most, amount)) end $$;

update items set
  estimated_hours = pg_temp.clamped(estimated_hours, 1e6),
  progress_percent = pg_temp.clamped(progress_percent, 100),
  confidence = pg_temp.clamped(confidence, 100),
  reach = pg_temp.clamped(reach, 1e12),
  impact = pg_temp.clamped(impact, 1e12),
  effort = pg_temp.clamped(effort, 1e12),
  target = pg_temp.clamped(target, 1e12),
  current = pg_temp.clamped(current, 1e12)
where estimated_hours > 1e6 or greatest(reach, impact, effort, abs(target), abs(current)) > 1e12
  or least(nullif(estimated_hours, 0), nullif(progress_percent, 0), nullif(confidence, 0), nullif(reach, 0), nullif(impact, 0),
    nullif(effort, 0), nullif(abs(target), 0), nullif(abs(current), 0)) < 1e-6;
