-- Visitors who wait for a free time of a booking link on a day or in a week. When a time becomes free, a job mails each of them once. The
-- table is not journaled, because an undo cannot take back a mail.
create table booking_waits (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  -- there is no foreign key, so that visitors still wait when the deletion of a link is undone
  booking_link_id uuid not null,
  name text not null,
  email text not null,
  timezone text not null,
  -- the days in the time zone of the visitor, and their beginning and end
  first_day date not null,
  last_day date not null,
  from_time timestamptz not null,
  until_time timestamptz not null,
  -- the free times in ms that the visitor could have booked, about which the visitor is not told
  known_times jsonb not null default '[]',
  told_at timestamptz,
  primary key (user_id, id)
);
select app.set_up_owned_table('booking_waits');
create unique index booking_waits_once on booking_waits (user_id, booking_link_id, lower(email), first_day, last_day);
create index booking_waits_end on booking_waits (until_time);
create trigger publish_added after insert on booking_waits referencing new table as new_rows
  for each statement execute function app.publish_writes();
create trigger publish_edited after update on booking_waits referencing new table as new_rows
  for each statement execute function app.publish_writes();
create trigger publish_deleted after delete on booking_waits referencing old table as new_rows
  for each statement execute function app.publish_writes();
create trigger count_insert after insert on booking_waits referencing new table as new_rows for each statement execute function app.count_rows();
create trigger count_update after update on booking_waits referencing old table as old_rows new table as new_rows
  for each statement execute function app.count_rows();
create trigger count_delete after delete on booking_waits referencing old table as old_rows for each statement execute function app.count_rows();

-- The job waits a minute, so that nobody is told about a change that is undone at once. It compares the free times with those that each
-- visitor knows, so a booking that takes a time adds it too.
create function app.note_waited_change() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from booking_waits w join users u on u.id = w.user_id
    where w.user_id = app.owner() and w.told_at is null and w.until_time > now()) then
    perform jobs.enqueue('booking waits', '{}', 'waits', now() + interval '1 minute');
  end if;
  return null;
end $$;
create trigger note_waited_rows after insert or delete on bookings for each statement execute function app.note_waited_change();
create trigger note_waited_edit after update of status, start_time, end_time on bookings
  for each statement execute function app.note_waited_change();
create trigger note_waited_edit after update of availability, duration_minutes, step_minutes, notice_minutes, buffer_before_minutes,
  buffer_after_minutes, window_days, max_per_day, is_active on booking_links for each statement execute function app.note_waited_change();
