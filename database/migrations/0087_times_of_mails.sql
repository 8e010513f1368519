-- The times at which mails were sent have names that say so.
alter table booking_waits rename column told_at to mailed_at;
alter table webhook_endpoints rename column told_failing_at to failing_mail_at;
alter table webhook_endpoints rename column told_given_up_at to given_up_mail_at;

create or replace function app.note_waited_change() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from booking_waits w join users u on u.id = w.user_id
    where w.user_id = app.owner() and w.mailed_at is null and w.until_time > now()) then
    perform jobs.enqueue('booking waits', '{}', 'waits', now() + interval '1 minute');
  end if;
  return null;
end $$;
