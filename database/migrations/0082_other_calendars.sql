-- Calendars of other programs, their secret addresses, and the times at which their owner is busy. The addresses and times are not
-- journaled: addresses must not be in the journal, and an undo must not bring old times back. A schedule deletes them when neither their
-- calendar nor an undo needs them.
create table other_calendars (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  name text not null,
  primary key (user_id, id)
);
alter table other_calendars enable row level security;
create policy own on other_calendars using (user_id = app.owner()) with check (user_id = app.owner());
grant select, insert, update, delete on other_calendars to foyer_app;
create trigger touch before update on other_calendars for each row execute function app.touch();
select app.attach_journal('other_calendars');

create table other_calendar_sources (
  user_id uuid not null default app.owner() references users on delete cascade,
  -- that of the calendar
  id uuid not null,
  created_at timestamptz not null default now(),
  -- encrypted for the owner and the calendar
  sealed_address text not null,
  host text not null,
  -- what the other server said about the version that was read last
  etag text,
  last_modified text,
  -- the time zone of the profile for which it was read, and until when
  timezone text not null default '',
  read_until timestamptz,
  next_read_at timestamptz not null,
  last_read_at timestamptz,
  -- failed attempts since the last good one
  failures int not null default 0,
  problem text,
  unreadable_events int not null default 0,
  primary key (user_id, id)
);
select app.set_up_owned_table('other_calendar_sources');
create index other_calendar_sources_due on other_calendar_sources (next_read_at);
create trigger publish_edited after update on other_calendar_sources referencing new table as new_rows
  for each statement execute function app.publish_writes();

create table other_calendar_times (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  calendar_id uuid not null,
  start_time timestamptz not null,
  end_time timestamptz not null check (end_time > start_time),
  primary key (user_id, id),
  constraint other_calendar_times_source foreign key (user_id, calendar_id) references other_calendar_sources (user_id, id) on delete cascade
);
select app.set_up_owned_table('other_calendar_times');
create index other_calendar_times_calendar on other_calendar_times (user_id, calendar_id, start_time);
create index other_calendar_times_end on other_calendar_times (user_id, end_time);

-- Adds a job for each calendar that is due, for its owner.
create function app.enqueue_due_calendars(due_at timestamptz, job_type text) returns void language plpgsql set search_path = public, pg_temp as $$
declare
  due record;
begin
  for due in
    select s.user_id, s.id from other_calendar_sources s
    where s.next_read_at <= due_at and exists (select from other_calendars c where c.user_id = s.user_id and c.id = s.id)
    order by s.next_read_at limit 1000
  loop
    perform set_config('app.owner', due.user_id::text, true);
    perform jobs.enqueue(job_type, jsonb_build_object('calendar', due.id), due.id::text, null, false);
  end loop;
end $$;
