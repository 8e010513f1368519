-- What the visitor of a booking was told last. A change of the booking by its owner, by whatever way, also by an undo, adds a job that
-- compares the booking with it, and mails the visitor. The table is not journaled, because an undo cannot take back a mail.
create table booking_notices (
  user_id uuid not null default app.owner() references users on delete cascade,
  -- that of the booking; there is no link, because the visitor of a deleted booking is told too
  id uuid not null,
  title text not null,
  start_time timestamptz not null,
  end_time timestamptz not null,
  timezone text not null,
  attendee_email text not null,
  status text not null check (status in ('confirmed', 'cancelled')),
  -- the number of the calendar file, which must increase
  sequence int not null default 0,
  primary key (user_id, id)
);
select app.set_up_owned_table('booking_notices');
create index booking_notices_end on booking_notices (end_time);

-- The job waits a minute, so that the visitor gets no mail about a change that is undone at once.
create function app.note_booking_change() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changed bookings := case when tg_op = 'DELETE' then old else new end;
begin
  -- nobody is told when the account is deleted
  if exists (select from booking_notices n join users u on u.id = n.user_id where n.user_id = changed.user_id and n.id = changed.id) then
    perform jobs.enqueue('booking notice', jsonb_build_object('id', changed.id), changed.id::text, now() + interval '1 minute');
  end if;
  return null;
end $$;
create trigger note_change after insert or delete on bookings for each row execute function app.note_booking_change();
create trigger note_edit after update on bookings for each row
  when ((old.status, old.start_time, old.end_time) is distinct from (new.status, new.start_time, new.end_time))
  execute function app.note_booking_change();
