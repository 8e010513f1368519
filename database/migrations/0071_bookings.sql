-- Booking links, with the times that they offer, and bookings. Two bookings of one owner that are not cancelled never overlap.
create extension if not exists btree_gist;

create table booking_links (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  title text not null default '',
  slug text not null,
  description text not null default '',
  color text not null default '#3B82F6',
  duration_minutes int not null default 30,
  step_minutes int not null default 30,
  notice_minutes int not null default 0,
  buffer_before_minutes int not null default 0,
  buffer_after_minutes int not null default 0,
  window_days int not null default 60,
  max_per_day int,
  max_per_visitor int,
  cutoff_minutes int not null default 0,
  is_active boolean not null default true,
  -- weekly hours, days off and the hours of single days in the time zone of the owner's profile, as the contract describes them; null: the
  -- default hours in the time zone of the visitor
  availability jsonb,
  search text not null generated always as (app.fold(title || E'\n' || slug) || E'\n' || app.respelled(title)) stored,
  primary key (user_id, id)
);
select app.set_up_record_table('booking_links');
create unique index booking_links_slug on booking_links (slug);
create index booking_links_title on booking_links (user_id, title collate "und-x-icu", id);

-- The owner of a public page, for visitors, who have no rights on the table.
create function app.booking_link_owner(link_slug text) returns uuid
  language sql stable security definer set search_path = public, pg_temp
  return (select user_id from booking_links where slug = link_slug);
grant execute on function app.booking_link_owner(text) to foyer_app;

-- Immutable, because minutes do not depend on the time zone of the session.
create function app.busy_range(starts_at timestamptz, ends_at timestamptz, minutes_before int, minutes_after int) returns tstzrange
  language sql immutable parallel safe
  return tstzrange(starts_at - make_interval(mins => minutes_before), ends_at + make_interval(mins => minutes_after));
grant execute on function app.busy_range(timestamptz, timestamptz, int, int) to foyer_app;

create table bookings (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  title text not null default '',
  description text not null default '',
  start_time timestamptz not null,
  end_time timestamptz not null,
  timezone text not null default 'UTC',
  attendee_name text not null default '',
  attendee_email text not null default '',
  attendee_phone text not null default '',
  notes text not null default '',
  status text not null default 'confirmed',
  booking_link_id uuid,
  contact_id uuid,
  -- the buffers of the link when the time was booked
  buffer_before_minutes int not null default 0,
  buffer_after_minutes int not null default 0,
  -- made by the page of the visitor, so that a form that is sent twice books once
  request_key text,
  busy tstzrange not null generated always as (app.busy_range(start_time, end_time, buffer_before_minutes, buffer_after_minutes)) stored,
  search text not null generated always as (app.fold(title || E'\n' || attendee_name || E'\n' || attendee_email || E'\n' || attendee_phone
    || E'\n' || app.digits(attendee_phone)) || E'\n' || left(app.respelled(attendee_name || ' ' || title), 60)) stored,
  primary key (user_id, id),
  constraint bookings_length check (end_time > start_time and end_time <= start_time + interval '168 hours'),
  constraint bookings_overlap exclude using gist (user_id with =, busy with &&) where (status <> 'cancelled'),
  constraint bookings_booking_link foreign key (user_id, booking_link_id) references booking_links (user_id, id)
    on delete set null (booking_link_id) deferrable,
  constraint bookings_contact foreign key (user_id, contact_id) references crm_contacts (user_id, id)
    on delete set null (contact_id) deferrable
);
comment on column bookings.end_time is 'undone together with start_time';
select app.set_up_record_table('bookings');
create unique index bookings_request_key on bookings (user_id, request_key) where request_key is not null;
create index bookings_start_time on bookings (user_id, start_time, id);
create index bookings_title on bookings (user_id, title collate "und-x-icu", id);
create index bookings_contact on bookings (user_id, contact_id, id desc) where contact_id is not null;
create index bookings_booking_link on bookings (user_id, booking_link_id, id desc) where booking_link_id is not null;
create index journal_deleted_of_booking_link on journal (user_id, (before ->> 'booking_link_id'), row_id desc)
  where operation = 'D' and before ->> 'booking_link_id' is not null;
