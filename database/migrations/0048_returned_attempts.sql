-- Counters of attempts that count only failures: an attempt is counted before it is made, and given back when it succeeds.
create function app.give_back_attempt(attempt bytea) returns void
  language sql security definer set search_path = public, pg_temp as $$
  update attempts set count = count - 1 where key = attempt and count > 0 $$;

-- Reads a counter and deletes it.
create function app.take_attempts(attempt bytea, at timestamptz) returns table (count int, resets_at timestamptz)
  language sql security definer set search_path = public, pg_temp as $$
  delete from attempts a where a.key = attempt and a.resets_at > at returning a.count, a.resets_at $$;

grant execute on function app.give_back_attempt(bytea), app.take_attempts(bytea, timestamptz) to foyer_app;
