-- A change of the visitor's email is mailed too, and each mail waits a minute after the last of several changes.
alter table booking_notices
  -- the time of the last change of the booking that a mail may be about; null: none since the first mail
  add column changed_at timestamptz;

-- The job waits a minute, so that the visitor gets no mail about a change that is undone at once. A job that waits already keeps its time, and
-- adds itself again if the booking was changed since.
create or replace function app.note_booking_change() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changed bookings := case when tg_op = 'DELETE' then old else new end;
begin
  -- nobody is told when the account is deleted
  update booking_notices n set changed_at = now() from users u
    where u.id = n.user_id and n.user_id = changed.user_id and n.id = changed.id;
  if found then
    perform jobs.enqueue('booking notice', jsonb_build_object('id', changed.id), changed.id::text, now() + interval '1 minute');
  end if;
  return null;
end $$;
drop trigger note_edit on bookings;
create trigger note_edit after update on bookings for each row
  when ((old.status, old.start_time, old.end_time, old.attendee_email)
    is distinct from (new.status, new.start_time, new.end_time, new.attendee_email))
  execute function app.note_booking_change();
