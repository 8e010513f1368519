-- A booking that ends before it starts has no busy time, so that the condition of its length refuses it with a message at the field.
create or replace function app.busy_range(starts_at timestamptz, ends_at timestamptz, minutes_before int, minutes_after int) returns tstzrange
  language sql immutable parallel safe
  return case when ends_at < starts_at then 'empty'::tstzrange
    else tstzrange(starts_at - make_interval(mins => minutes_before), ends_at + make_interval(mins => minutes_after)) end;
