-- The secret address at which other calendars read the bookings of an owner. Its token contains the id, so a new row replaces the address.
-- The table is not journaled, because an address that was replaced must never work again.
create table calendar_feeds (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  primary key (user_id, id),
  unique (user_id)
);
select app.set_up_owned_table('calendar_feeds');
create trigger publish_added after insert on calendar_feeds referencing new table as new_rows
  for each statement execute function app.publish_writes();
create trigger publish_deleted after delete on calendar_feeds referencing old table as new_rows
  for each statement execute function app.publish_writes();
