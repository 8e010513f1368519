-- Counts an attempt under several counters in one statement, in their order. Ends at the first counter that is above its limit and returns
-- its position and the time at which it begins again; returns no row if none is.
create function app.count_attempts(attempts bytea[], seconds int[], limits int[], at timestamptz)
returns table (place int, resets_at timestamptz) language plpgsql security definer set search_path = public, pg_temp as $$
declare
  counted record;
begin
  for number in 1 .. cardinality(attempts) loop
    select c.count, c.resets_at into counted from app.count_attempt(attempts[number], seconds[number], at) c;
    if counted.count > limits[number] then
      return query select number, counted.resets_at;
      return;
    end if;
  end loop;
end $$;
grant execute on function app.count_attempts(bytea[], int[], int[], timestamptz) to foyer_app;
