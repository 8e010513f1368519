-- Counts an attempt and lets the time of the counter start again, so that a counter in daily use is not forgotten.
create function app.renew_attempts(attempt bytea, seconds int, at timestamptz) returns int
  language sql security definer set search_path = public, pg_temp as $$
  insert into attempts as a (key, count, resets_at) values (attempt, 1, at + make_interval(secs => seconds))
  on conflict (key) do update set
    count = case when a.resets_at <= at then 1 else a.count + 1 end,
    resets_at = excluded.resets_at
  returning a.count $$;

grant execute on function app.renew_attempts(bytea, int, timestamptz) to foyer_app;
