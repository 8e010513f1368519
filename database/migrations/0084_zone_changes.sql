-- The rules of time zones with which the bookings of this installation were shown last, and the bookings that clocks show at another time
-- since these rules have changed. Their owners see them as a notice, which is not journaled.
create table app.zone_rules (
  timezone text primary key,
  -- [from in ms, minutes east of Greenwich] for each offset since 2026
  offsets jsonb not null
);

create table booking_zone_changes (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  -- there is no foreign key, because the notice of a deleted booking returns when the deletion is undone
  booking_id uuid not null,
  -- a booking that was moved since is not shown
  start_time timestamptz not null,
  -- that of the visitor or of the owner
  timezone text not null,
  -- minutes east of Greenwich at the start, by the old rules
  offset_before int not null,
  primary key (user_id, id),
  unique (user_id, booking_id, timezone, start_time)
);
select app.set_up_owned_table('booking_zone_changes');
create index booking_zone_changes_start on booking_zone_changes (start_time);
create trigger publish_added after insert on booking_zone_changes referencing new table as new_rows
  for each statement execute function app.publish_writes();
create trigger publish_deleted after delete on booking_zone_changes referencing old table as new_rows
  for each statement execute function app.publish_writes();
