-- The trigger adds a job for waits of any time. Only the job knows which waits have ended, because it uses the clock of the application.
create or replace function app.note_waited_change() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from booking_waits w join users u on u.id = w.user_id where w.user_id = app.owner() and w.mailed_at is null) then
    perform jobs.enqueue('booking waits', '{}', 'waits', now() + interval '1 minute');
  end if;
  return null;
end $$;
