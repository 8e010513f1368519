-- Written by `npm run schema` from the migrations; not to be edited.

create extension btree_gin;

create extension btree_gist;

create extension pg_trgm;

create extension unaccent;

create schema app;
grant usage on schema app to foyer_app;

create schema jobs;
grant usage on schema jobs to foyer_app;

create schema public;
grant usage on schema public to foyer_app;
grant usage on schema public to public;

create table app.column_changes (
  table_name text not null,
  column_name text not null,
  at timestamp with time zone not null default now(),
  new_name text,
  default_value jsonb
);
grant select on table app.column_changes to foyer_app;

create table app.erasing (
  user_id uuid not null,
  constraint erasing_pkey PRIMARY KEY (user_id)
);

create table app.installation (
  is_only_row boolean not null default true,
  key_fingerprint text not null,
  constraint installation_pkey PRIMARY KEY (is_only_row),
  constraint installation_is_only_row_check CHECK (is_only_row)
);

create table app.journal_erasures (
  user_id uuid not null,
  row_id uuid
);

create table app.migrations (
  name text not null,
  checksum text not null,
  at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (name)
);

create unlogged table app.slots (
  id bigint not null generated as identity,
  name text not null,
  process integer not null,
  constraint slots_pkey PRIMARY KEY (id)
);
CREATE INDEX slots_name ON app.slots USING btree (name, id);

create table app.zone_rules (
  timezone text not null,
  offsets jsonb not null,
  constraint zone_rules_pkey PRIMARY KEY (timezone)
);

create table jobs.jobs (
  id bigint not null generated as identity,
  owner uuid not null,
  type text not null,
  payload jsonb not null,
  key text,
  added_at timestamp with time zone not null default now(),
  run_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  taken_by integer,
  taken_at timestamp with time zone,
  added_again boolean not null default false,
  attempts integer not null default 0,
  crashes integer not null default 0,
  reason text,
  error text,
  failed_at timestamp with time zone,
  outlives_account boolean not null default false,
  account uuid generated always as (
CASE
    WHEN (NOT outlives_account) THEN owner
    ELSE NULL::uuid
END) stored,
  constraint jobs_pkey PRIMARY KEY (id),
  constraint jobs_check CHECK (((failed_at IS NULL) OR ((taken_by IS NULL) AND (payload = '{}'::jsonb)))),
  constraint jobs_payload_check CHECK ((jsonb_typeof(payload) = 'object'::text)),
  constraint jobs_account_fkey FOREIGN KEY (account) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX jobs_account ON jobs.jobs USING btree (account) WHERE (account IS NOT NULL);
CREATE INDEX jobs_failed ON jobs.jobs USING btree (failed_at) WHERE (failed_at IS NOT NULL);
CREATE INDEX jobs_failed_key ON jobs.jobs USING btree (owner, key) WHERE ((failed_at IS NOT NULL) AND (key IS NOT NULL));
CREATE UNIQUE INDEX jobs_key ON jobs.jobs USING btree (owner, type, key) WHERE ((failed_at IS NULL) AND (key IS NOT NULL));
CREATE INDEX jobs_ready ON jobs.jobs USING btree (type, owner, id) WHERE ((taken_by IS NULL) AND (failed_at IS NULL) AND (run_at = '-infinity'::timestamp with time zone));
CREATE INDEX jobs_scheduled ON jobs.jobs USING btree (run_at) WHERE ((taken_by IS NULL) AND (failed_at IS NULL) AND (run_at > '-infinity'::timestamp with time zone));
CREATE INDEX jobs_taken ON jobs.jobs USING btree (owner, type) WHERE (taken_by IS NOT NULL);

create table jobs.schedules (
  name text not null,
  due_at timestamp with time zone not null,
  constraint schedules_pkey PRIMARY KEY (name)
);

create table public.ai_connections (
  user_id uuid not null default app.owner(),
  id uuid not null,
  created_at timestamp with time zone not null default now(),
  base_url text not null,
  sealed_key text not null default ''::text,
  model text not null,
  image_model text not null default ''::text,
  capabilities jsonb not null default '{}'::jsonb,
  input_price double precision,
  output_price double precision,
  constraint ai_connections_pkey PRIMARY KEY (user_id, id),
  constraint ai_connections_check CHECK ((id = user_id)),
  constraint ai_connections_prices CHECK (((input_price IS NULL) = (output_price IS NULL))),
  constraint ai_connections_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
alter table public.ai_connections enable row level security;
create policy own on public.ai_connections for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.ai_connections to foyer_app;
CREATE TRIGGER publish_added AFTER INSERT ON public.ai_connections REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();
CREATE TRIGGER publish_edited AFTER UPDATE ON public.ai_connections REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();

create table public.ai_reservations (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  expires_at timestamp with time zone not null,
  tokens integer not null,
  constraint ai_reservations_pkey PRIMARY KEY (user_id, id),
  constraint ai_reservations_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
alter table public.ai_reservations enable row level security;
create policy own on public.ai_reservations for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.ai_reservations to foyer_app;

create table public.ai_usage (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  day date not null,
  is_limited boolean not null,
  answers integer not null default 0,
  images integer not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost double precision,
  constraint ai_usage_pkey PRIMARY KEY (user_id, id),
  constraint ai_usage_day UNIQUE (user_id, day, is_limited),
  constraint ai_usage_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
alter table public.ai_usage enable row level security;
create policy own on public.ai_usage for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.ai_usage to foyer_app;

create table public.api_keys (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  name text not null,
  key_hash text not null,
  key_prefix text not null,
  scopes text[] not null,
  is_active boolean not null default true,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (user_id, id),
  constraint api_keys_key_hash_key UNIQUE (key_hash),
  constraint api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
alter table public.api_keys enable row level security;
create policy own on public.api_keys for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.api_keys to foyer_app;
CREATE TRIGGER publish_added AFTER INSERT ON public.api_keys REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();
CREATE TRIGGER publish_deleted AFTER DELETE ON public.api_keys REFERENCING OLD TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();
CREATE TRIGGER publish_edited AFTER UPDATE ON public.api_keys REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();

create unlogged table public.attempts (
  key bytea not null,
  count integer not null,
  resets_at timestamp with time zone not null,
  constraint attempts_pkey PRIMARY KEY (key)
);

create table public.booking_links (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  title text not null default ''::text,
  slug text not null,
  description text not null default ''::text,
  color text not null default '#3B82F6'::text,
  duration_minutes integer not null default 30,
  step_minutes integer not null default 30,
  notice_minutes integer not null default 0,
  buffer_before_minutes integer not null default 0,
  buffer_after_minutes integer not null default 0,
  window_days integer not null default 60,
  max_per_day integer,
  max_per_visitor integer,
  cutoff_minutes integer not null default 0,
  is_active boolean not null default true,
  availability jsonb,
  search text not null generated always as (((app.fold(((title || '
'::text) || slug)) || '
'::text) || app.respelled(title))) stored,
  questions jsonb,
  constraint booking_links_pkey PRIMARY KEY (user_id, id),
  constraint booking_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX booking_links_id ON public.booking_links USING btree (id);
CREATE INDEX booking_links_newest ON public.booking_links USING btree (user_id, id DESC) INCLUDE (search);
CREATE INDEX booking_links_search ON public.booking_links USING gin (user_id, search public.gin_trgm_ops);
CREATE UNIQUE INDEX booking_links_slug ON public.booking_links USING btree (slug);
CREATE INDEX booking_links_title ON public.booking_links USING btree (user_id, title COLLATE "und-x-icu", id);
CREATE INDEX booking_links_words ON public.booking_links USING gin (user_id, app.words(search)) WITH (gin_pending_list_limit='256');
alter table public.booking_links enable row level security;
create policy own on public.booking_links for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.booking_links to foyer_app;
CREATE TRIGGER journal_delete_cascade AFTER DELETE ON public.booking_links REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'search');
CREATE TRIGGER journal_delete_direct AFTER DELETE ON public.booking_links REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'search');
CREATE TRIGGER journal_insert_cascade AFTER INSERT ON public.booking_links REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'search');
CREATE TRIGGER journal_insert_direct AFTER INSERT ON public.booking_links REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'search');
CREATE TRIGGER journal_update_cascade AFTER UPDATE ON public.booking_links REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'search');
CREATE TRIGGER journal_update_direct AFTER UPDATE ON public.booking_links REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'search');
CREATE TRIGGER note_waited_edit AFTER UPDATE OF availability, duration_minutes, step_minutes, notice_minutes, buffer_before_minutes, buffer_after_minutes, window_days, max_per_day, is_active ON public.booking_links FOR EACH STATEMENT EXECUTE FUNCTION app.note_waited_change();
CREATE TRIGGER touch BEFORE UPDATE ON public.booking_links FOR EACH ROW EXECUTE FUNCTION app.touch_booking_links();

create table public.booking_notices (
  user_id uuid not null default app.owner(),
  id uuid not null,
  title text not null,
  start_time timestamp with time zone not null,
  end_time timestamp with time zone not null,
  timezone text not null,
  attendee_email text not null,
  status text not null,
  sequence integer not null default 0,
  changed_at timestamp with time zone,
  constraint booking_notices_pkey PRIMARY KEY (user_id, id),
  constraint booking_notices_status_check CHECK ((status = ANY (ARRAY['confirmed'::text, 'cancelled'::text]))),
  constraint booking_notices_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX booking_notices_end ON public.booking_notices USING btree (end_time);
alter table public.booking_notices enable row level security;
create policy own on public.booking_notices for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.booking_notices to foyer_app;

create table public.booking_waits (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  booking_link_id uuid not null,
  name text not null,
  email text not null,
  timezone text not null,
  first_day date not null,
  last_day date not null,
  from_time timestamp with time zone not null,
  until_time timestamp with time zone not null,
  known_times jsonb not null default '[]'::jsonb,
  mailed_at timestamp with time zone,
  network_hash text not null default ''::text,
  subscriber_hash text not null default ''::text,
  constraint booking_waits_pkey PRIMARY KEY (user_id, id),
  constraint booking_waits_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX booking_waits_end ON public.booking_waits USING btree (until_time);
CREATE UNIQUE INDEX booking_waits_once ON public.booking_waits USING btree (user_id, booking_link_id, lower(email), first_day, last_day);
alter table public.booking_waits enable row level security;
create policy own on public.booking_waits for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.booking_waits to foyer_app;
CREATE TRIGGER count_delete AFTER DELETE ON public.booking_waits REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows();
CREATE TRIGGER count_insert AFTER INSERT ON public.booking_waits REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows();
CREATE TRIGGER count_update AFTER UPDATE ON public.booking_waits REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows();
CREATE TRIGGER publish_added AFTER INSERT ON public.booking_waits REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();
CREATE TRIGGER publish_deleted AFTER DELETE ON public.booking_waits REFERENCING OLD TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();
CREATE TRIGGER publish_edited AFTER UPDATE ON public.booking_waits REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();

create table public.booking_zone_changes (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  booking_id uuid not null,
  start_time timestamp with time zone not null,
  timezone text not null,
  offset_before integer not null,
  constraint booking_zone_changes_pkey PRIMARY KEY (user_id, id),
  constraint booking_zone_changes_user_id_booking_id_timezone_start_time_key UNIQUE (user_id, booking_id, timezone, start_time),
  constraint booking_zone_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX booking_zone_changes_start ON public.booking_zone_changes USING btree (start_time);
alter table public.booking_zone_changes enable row level security;
create policy own on public.booking_zone_changes for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.booking_zone_changes to foyer_app;
CREATE TRIGGER publish_added AFTER INSERT ON public.booking_zone_changes REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();
CREATE TRIGGER publish_deleted AFTER DELETE ON public.booking_zone_changes REFERENCING OLD TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();

create table public.bookings (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  title text not null default ''::text,
  description text not null default ''::text,
  start_time timestamp with time zone not null,
  end_time timestamp with time zone not null,
  timezone text not null default 'UTC'::text,
  attendee_name text not null default ''::text,
  attendee_email text not null default ''::text,
  attendee_phone text not null default ''::text,
  notes text not null default ''::text,
  status text not null default 'confirmed'::text,
  booking_link_id uuid,
  contact_id uuid,
  buffer_before_minutes integer not null default 0,
  buffer_after_minutes integer not null default 0,
  request_key text,
  busy tstzrange not null generated always as (app.busy_range(start_time, end_time, buffer_before_minutes, buffer_after_minutes)) stored,
  search text not null generated always as (((app.fold(((((((((title || '
'::text) || attendee_name) || '
'::text) || attendee_email) || '
'::text) || attendee_phone) || '
'::text) || app.digits(attendee_phone))) || '
'::text) || "left"(app.respelled(((attendee_name || ' '::text) || title)), 60))) stored,
  answers jsonb,
  constraint bookings_pkey PRIMARY KEY (user_id, id),
  constraint bookings_length CHECK (((end_time > start_time) AND (end_time <= (start_time + '168:00:00'::interval)))),
  constraint bookings_booking_link FOREIGN KEY (user_id, booking_link_id) REFERENCES public.booking_links(user_id, id) ON DELETE SET NULL (booking_link_id) DEFERRABLE,
  constraint bookings_contact FOREIGN KEY (user_id, contact_id) REFERENCES public.crm_contacts(user_id, id) ON DELETE SET NULL (contact_id) DEFERRABLE,
  constraint bookings_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE,
  constraint bookings_overlap EXCLUDE USING gist (user_id WITH =, busy WITH &&) WHERE ((status <> 'cancelled'::text))
);
CREATE INDEX bookings_booking_link ON public.bookings USING btree (user_id, booking_link_id, id DESC) WHERE (booking_link_id IS NOT NULL);
CREATE INDEX bookings_contact ON public.bookings USING btree (user_id, contact_id, id DESC) WHERE (contact_id IS NOT NULL);
CREATE INDEX bookings_id ON public.bookings USING btree (id);
CREATE INDEX bookings_newest ON public.bookings USING btree (user_id, id DESC) INCLUDE (search);
CREATE UNIQUE INDEX bookings_request_key ON public.bookings USING btree (user_id, request_key) WHERE (request_key IS NOT NULL);
CREATE INDEX bookings_search ON public.bookings USING gin (user_id, search public.gin_trgm_ops);
CREATE INDEX bookings_start_time ON public.bookings USING btree (user_id, start_time, id);
CREATE INDEX bookings_title ON public.bookings USING btree (user_id, title COLLATE "und-x-icu", id);
CREATE INDEX bookings_words ON public.bookings USING gin (user_id, app.words(search)) WITH (gin_pending_list_limit='256');
alter table public.bookings enable row level security;
create policy own on public.bookings for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.bookings to foyer_app;
CREATE TRIGGER journal_delete_cascade AFTER DELETE ON public.bookings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'busy', 'search');
CREATE TRIGGER journal_delete_direct AFTER DELETE ON public.bookings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'busy', 'search');
CREATE TRIGGER journal_insert_cascade AFTER INSERT ON public.bookings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'busy', 'search');
CREATE TRIGGER journal_insert_direct AFTER INSERT ON public.bookings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'busy', 'search');
CREATE TRIGGER journal_update_cascade AFTER UPDATE ON public.bookings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'busy', 'search');
CREATE TRIGGER journal_update_direct AFTER UPDATE ON public.bookings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'busy', 'search');
CREATE TRIGGER note_change AFTER INSERT OR DELETE ON public.bookings FOR EACH ROW EXECUTE FUNCTION app.note_booking_change();
CREATE TRIGGER note_edit AFTER UPDATE ON public.bookings FOR EACH ROW WHEN (((((old.status IS DISTINCT FROM new.status) OR (old.start_time IS DISTINCT FROM new.start_time)) OR (old.end_time IS DISTINCT FROM new.end_time)) OR (old.attendee_email IS DISTINCT FROM new.attendee_email))) EXECUTE FUNCTION app.note_booking_change();
CREATE TRIGGER note_waited_edit AFTER UPDATE OF status, start_time, end_time ON public.bookings FOR EACH STATEMENT EXECUTE FUNCTION app.note_waited_change();
CREATE TRIGGER note_waited_rows AFTER INSERT OR DELETE ON public.bookings FOR EACH STATEMENT EXECUTE FUNCTION app.note_waited_change();
CREATE TRIGGER touch BEFORE UPDATE ON public.bookings FOR EACH ROW EXECUTE FUNCTION app.touch_bookings();

create table public.calendar_feeds (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  constraint calendar_feeds_pkey PRIMARY KEY (user_id, id),
  constraint calendar_feeds_user_id_key UNIQUE (user_id),
  constraint calendar_feeds_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
alter table public.calendar_feeds enable row level security;
create policy own on public.calendar_feeds for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.calendar_feeds to foyer_app;
CREATE TRIGGER publish_added AFTER INSERT ON public.calendar_feeds REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();
CREATE TRIGGER publish_deleted AFTER DELETE ON public.calendar_feeds REFERENCING OLD TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();

create table public.change_groups (
  user_id uuid not null default app.owner(),
  id uuid not null,
  done integer not null default 0,
  total integer,
  row_count integer not null default 0,
  undo_position uuid,
  finished_at timestamp with time zone,
  undone_groups uuid[],
  is_delete boolean not null default false,
  only_row uuid,
  constraint change_groups_pkey PRIMARY KEY (user_id, id),
  constraint change_groups_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
alter table public.change_groups enable row level security;
create policy own on public.change_groups for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.change_groups to foyer_app;

create table public.changesets (
  id uuid not null default uuidv7(),
  user_id uuid not null,
  actor text not null,
  label text not null default ''::text,
  at timestamp with time zone not null default now(),
  xid xid8 default pg_current_xact_id(),
  undo_of uuid,
  undo_depth integer not null default 0,
  restore_of uuid,
  request_key text,
  request_hash text,
  skipped_counts jsonb not null default '{}'::jsonb,
  group_id uuid,
  actor_name text,
  constraint changesets_pkey PRIMARY KEY (id),
  constraint changesets_xid UNIQUE (xid)
);
CREATE INDEX changesets_group ON public.changesets USING btree (user_id, group_id, id) WHERE (group_id IS NOT NULL);
CREATE INDEX changesets_owner ON public.changesets USING btree (user_id, id) WHERE (group_id IS NULL);
CREATE UNIQUE INDEX changesets_request_key ON public.changesets USING btree (user_id, request_key) WHERE (request_key IS NOT NULL);
CREATE UNIQUE INDEX changesets_undo_of ON public.changesets USING btree (undo_of) WHERE (undo_of IS NOT NULL);
alter table public.changesets enable row level security;
create policy own on public.changesets for select using (user_id = app.owner());
grant select on table public.changesets to foyer_app;
CREATE TRIGGER note_webhook_change AFTER INSERT ON public.changesets FOR EACH ROW EXECUTE FUNCTION app.note_webhook_change();
CREATE TRIGGER set_actor_name BEFORE INSERT ON public.changesets FOR EACH ROW WHEN ((new.actor ~~ 'api\_key:%'::text)) EXECUTE FUNCTION app.set_actor_name();

create table public.companies (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  name text not null default ''::text,
  industry text not null default ''::text,
  website text not null default ''::text,
  phone text not null default ''::text,
  email text not null default ''::text,
  employees_count integer,
  tags text[] not null default '{}'::text[],
  tag_keys text[] generated always as (app.fold_all(tags)) stored,
  search text generated always as (((app.fold(((((((((((name || '
'::text) || industry) || '
'::text) || "left"(website, 80)) || '
'::text) || email) || '
'::text) || phone) || '
'::text) || app.digits(phone))) || '
'::text) || "left"(app.respelled(name), 30))) stored,
  constraint companies_pkey PRIMARY KEY (user_id, id),
  constraint companies_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX companies_employees_count ON public.companies USING btree (user_id, employees_count, id);
CREATE INDEX companies_folded_name ON public.companies USING btree (user_id, app.fold(name), id);
CREATE INDEX companies_industry ON public.companies USING btree (user_id, industry COLLATE "und-x-icu", id);
CREATE INDEX companies_name ON public.companies USING btree (user_id, name COLLATE "und-x-icu", id);
CREATE INDEX companies_newest ON public.companies USING btree (user_id, id DESC) INCLUDE (search);
CREATE INDEX companies_search ON public.companies USING gin (user_id, search public.gin_trgm_ops);
CREATE INDEX companies_tags ON public.companies USING gin (user_id, tag_keys);
CREATE INDEX companies_words ON public.companies USING gin (user_id, app.words(search)) WITH (gin_pending_list_limit='256');
alter table public.companies enable row level security;
create policy own on public.companies for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.companies to foyer_app;
CREATE TRIGGER journal_delete_cascade AFTER DELETE ON public.companies REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'tag_keys', 'search');
CREATE TRIGGER journal_delete_direct AFTER DELETE ON public.companies REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'tag_keys', 'search');
CREATE TRIGGER journal_insert_cascade AFTER INSERT ON public.companies REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'tag_keys', 'search');
CREATE TRIGGER journal_insert_direct AFTER INSERT ON public.companies REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'tag_keys', 'search');
CREATE TRIGGER journal_update_cascade AFTER UPDATE ON public.companies REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'tag_keys', 'search');
CREATE TRIGGER journal_update_direct AFTER UPDATE ON public.companies REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'tag_keys', 'search');
CREATE TRIGGER rename_in_contacts AFTER UPDATE ON public.companies FOR EACH ROW WHEN ((old.name IS DISTINCT FROM new.name)) EXECUTE FUNCTION app.rename_in_contacts();
CREATE TRIGGER tags BEFORE INSERT OR UPDATE OF tags ON public.companies FOR EACH ROW WHEN ((cardinality(new.tags) > 1)) EXECUTE FUNCTION app.keep_tags_once();
CREATE TRIGGER touch BEFORE UPDATE ON public.companies FOR EACH ROW EXECUTE FUNCTION app.touch_companies();

create table public.conversations (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  title text not null default ''::text,
  allowed_changes text[] not null default '{}'::text[],
  search text generated always as (((app.fold(title) || '
'::text) || app.respelled(title))) stored,
  constraint conversations_pkey PRIMARY KEY (user_id, id),
  constraint conversations_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX conversations_newest ON public.conversations USING btree (user_id, id DESC) INCLUDE (search);
CREATE INDEX conversations_search ON public.conversations USING gin (user_id, search public.gin_trgm_ops);
CREATE INDEX conversations_words ON public.conversations USING gin (user_id, app.words(search)) WITH (gin_pending_list_limit='256');
alter table public.conversations enable row level security;
create policy own on public.conversations for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.conversations to foyer_app;
CREATE TRIGGER journal_delete_cascade AFTER DELETE ON public.conversations REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'search');
CREATE TRIGGER journal_delete_direct AFTER DELETE ON public.conversations REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'search');
CREATE TRIGGER journal_insert_cascade AFTER INSERT ON public.conversations REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'search');
CREATE TRIGGER journal_insert_direct AFTER INSERT ON public.conversations REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'search');
CREATE TRIGGER journal_update_cascade AFTER UPDATE ON public.conversations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'search');
CREATE TRIGGER journal_update_direct AFTER UPDATE ON public.conversations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'search');
CREATE TRIGGER touch BEFORE UPDATE ON public.conversations FOR EACH ROW EXECUTE FUNCTION app.touch_conversations();

create table public.crm_connection_keys (
  user_id uuid not null default app.owner(),
  id uuid not null,
  created_at timestamp with time zone not null default now(),
  sealed_key text not null,
  constraint crm_connection_keys_pkey PRIMARY KEY (user_id, id),
  constraint crm_connection_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
alter table public.crm_connection_keys enable row level security;
create policy own on public.crm_connection_keys for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.crm_connection_keys to foyer_app;

create table public.crm_connections (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  crm_type text not null,
  api_url text not null,
  constraint crm_connections_pkey PRIMARY KEY (user_id, id),
  constraint crm_connections_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
alter table public.crm_connections enable row level security;
create policy own on public.crm_connections for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.crm_connections to foyer_app;
CREATE TRIGGER journal_delete_cascade AFTER DELETE ON public.crm_connections REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade');
CREATE TRIGGER journal_delete_direct AFTER DELETE ON public.crm_connections REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct');
CREATE TRIGGER journal_insert_cascade AFTER INSERT ON public.crm_connections REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade');
CREATE TRIGGER journal_insert_direct AFTER INSERT ON public.crm_connections REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct');
CREATE TRIGGER journal_update_cascade AFTER UPDATE ON public.crm_connections REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade');
CREATE TRIGGER journal_update_direct AFTER UPDATE ON public.crm_connections REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct');
CREATE TRIGGER touch BEFORE UPDATE ON public.crm_connections FOR EACH ROW EXECUTE FUNCTION app.touch_crm_connections();

create table public.crm_contacts (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  external_id text not null default gen_random_uuid(),
  crm_connection_id uuid,
  first_name text not null default ''::text,
  last_name text not null default ''::text,
  email text not null default ''::text,
  phone text not null default ''::text,
  mobile_phone text not null default ''::text,
  company text not null default ''::text,
  title text not null default ''::text,
  department text not null default ''::text,
  mailing_street text not null default ''::text,
  mailing_city text not null default ''::text,
  mailing_state text not null default ''::text,
  mailing_postal_code text not null default ''::text,
  mailing_country text not null default ''::text,
  reports_to_id uuid,
  lead_source text not null default ''::text,
  description text not null default ''::text,
  raw_data jsonb,
  phone_key text not null default ''::text,
  mobile_phone_key text not null default ''::text,
  email_key text generated always as (lower(btrim(email))) stored,
  name text generated always as (btrim(((first_name || ' '::text) || last_name))) stored,
  search text generated always as (((app.fold(((((((((((((((((((first_name || ' '::text) || last_name) || '
'::text) || email) || '
'::text) || company) || '
'::text) || phone) || '
'::text) || app.digits(phone)) || '
'::text) || phone_key) || '
'::text) || mobile_phone) || '
'::text) || app.digits(mobile_phone)) || '
'::text) || mobile_phone_key)) || '
'::text) || "left"(app.respelled(((((first_name || ' '::text) || last_name) || ' '::text) || company)), 60))) stored,
  company_id uuid,
  tags text[] not null default '{}'::text[],
  tag_keys text[] generated always as (app.fold_all(tags)) stored,
  constraint crm_contacts_pkey PRIMARY KEY (user_id, id),
  constraint crm_contacts_company FOREIGN KEY (user_id, company_id) REFERENCES public.companies(user_id, id) ON DELETE SET NULL (company_id) DEFERRABLE,
  constraint crm_contacts_crm_connection FOREIGN KEY (user_id, crm_connection_id) REFERENCES public.crm_connections(user_id, id) ON DELETE SET NULL (crm_connection_id) DEFERRABLE,
  constraint crm_contacts_reports_to FOREIGN KEY (user_id, reports_to_id) REFERENCES public.crm_contacts(user_id, id) ON DELETE SET NULL (reports_to_id) DEFERRABLE,
  constraint crm_contacts_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX crm_contacts_company ON public.crm_contacts USING btree (user_id, company COLLATE "und-x-icu", id);
CREATE INDEX crm_contacts_company_record ON public.crm_contacts USING btree (user_id, company_id, id DESC) WHERE (company_id IS NOT NULL);
CREATE INDEX crm_contacts_email ON public.crm_contacts USING btree (user_id, email_key, id);
CREATE INDEX crm_contacts_external_id ON public.crm_contacts USING btree (user_id, crm_connection_id, external_id) WHERE (crm_connection_id IS NOT NULL);
CREATE INDEX crm_contacts_lead_source ON public.crm_contacts USING btree (user_id, lead_source, created_at);
CREATE INDEX crm_contacts_mobile_phone ON public.crm_contacts USING btree (user_id, mobile_phone_key) WHERE (mobile_phone_key <> ''::text);
CREATE INDEX crm_contacts_name ON public.crm_contacts USING btree (user_id, name COLLATE "und-x-icu", id);
CREATE INDEX crm_contacts_newest ON public.crm_contacts USING btree (user_id, id DESC) INCLUDE (search);
CREATE INDEX crm_contacts_phone ON public.crm_contacts USING btree (user_id, phone_key) WHERE (phone_key <> ''::text);
CREATE INDEX crm_contacts_reports_to ON public.crm_contacts USING btree (user_id, reports_to_id) WHERE (reports_to_id IS NOT NULL);
CREATE INDEX crm_contacts_search ON public.crm_contacts USING gin (user_id, search public.gin_trgm_ops);
CREATE INDEX crm_contacts_tags ON public.crm_contacts USING gin (user_id, tag_keys);
CREATE INDEX crm_contacts_unlinked_company ON public.crm_contacts USING btree (user_id, app.fold(company), id DESC) WHERE ((company_id IS NULL) AND (company <> ''::text));
CREATE INDEX crm_contacts_unlinked_external_id ON public.crm_contacts USING btree (user_id, external_id) WHERE ((crm_connection_id IS NULL) AND (raw_data ? 'synced'::text));
CREATE INDEX crm_contacts_words ON public.crm_contacts USING gin (user_id, app.words(search)) WITH (gin_pending_list_limit='256');
alter table public.crm_contacts enable row level security;
create policy own on public.crm_contacts for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.crm_contacts to foyer_app;
CREATE TRIGGER company_name BEFORE UPDATE ON public.crm_contacts FOR EACH ROW WHEN (((new.company_id IS NOT NULL) AND (pg_trigger_depth() = 0) AND ((new.company_id IS DISTINCT FROM old.company_id) OR (new.company <> old.company)))) EXECUTE FUNCTION app.set_company_name();
CREATE TRIGGER company_name_of_new BEFORE INSERT ON public.crm_contacts FOR EACH ROW WHEN ((new.company_id IS NOT NULL)) EXECUTE FUNCTION app.set_company_name();
CREATE TRIGGER journal_delete_cascade AFTER DELETE ON public.crm_contacts REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'email_key', 'name', 'search', 'tag_keys');
CREATE TRIGGER journal_delete_direct AFTER DELETE ON public.crm_contacts REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'email_key', 'name', 'search', 'tag_keys');
CREATE TRIGGER journal_insert_cascade AFTER INSERT ON public.crm_contacts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'email_key', 'name', 'search', 'tag_keys');
CREATE TRIGGER journal_insert_direct AFTER INSERT ON public.crm_contacts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'email_key', 'name', 'search', 'tag_keys');
CREATE TRIGGER journal_update_cascade AFTER UPDATE ON public.crm_contacts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'email_key', 'name', 'search', 'tag_keys');
CREATE TRIGGER journal_update_direct AFTER UPDATE ON public.crm_contacts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'email_key', 'name', 'search', 'tag_keys');
CREATE TRIGGER tags BEFORE INSERT OR UPDATE OF tags ON public.crm_contacts FOR EACH ROW WHEN ((cardinality(new.tags) > 1)) EXECUTE FUNCTION app.keep_tags_once();
CREATE TRIGGER touch BEFORE UPDATE ON public.crm_contacts FOR EACH ROW EXECUTE FUNCTION app.touch_crm_contacts();

create table public.crm_sync_pages (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  sync_id uuid not null,
  external_ids text[] not null,
  constraint crm_sync_pages_pkey PRIMARY KEY (user_id, id),
  constraint crm_sync_pages_sync FOREIGN KEY (user_id, sync_id) REFERENCES public.crm_syncs(user_id, id) ON DELETE CASCADE,
  constraint crm_sync_pages_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX crm_sync_pages_sync ON public.crm_sync_pages USING btree (user_id, sync_id);
alter table public.crm_sync_pages enable row level security;
create policy own on public.crm_sync_pages for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.crm_sync_pages to foyer_app;

create table public.crm_syncs (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  connection_id uuid not null,
  change_id uuid not null,
  status text not null default 'running'::text,
  changed_since timestamp with time zone,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  "position" integer not null default 0,
  failures integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  missing integer not null default 0,
  missing_ids uuid[] not null default '{}'::uuid[],
  reasons jsonb not null default '[]'::jsonb,
  problem text,
  constraint crm_syncs_pkey PRIMARY KEY (user_id, id),
  constraint crm_syncs_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX crm_syncs_newest ON public.crm_syncs USING btree (user_id, connection_id, id DESC);
CREATE UNIQUE INDEX crm_syncs_running ON public.crm_syncs USING btree (user_id, connection_id) WHERE (status = ANY (ARRAY['running'::text, 'waiting'::text]));
alter table public.crm_syncs enable row level security;
create policy own on public.crm_syncs for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.crm_syncs to foyer_app;
CREATE TRIGGER publish_added AFTER INSERT ON public.crm_syncs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();
CREATE TRIGGER publish_edited AFTER UPDATE ON public.crm_syncs REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();

create table public.deals (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  title text not null default ''::text,
  description text not null default ''::text,
  value numeric(14,2),
  stage text not null default 'lead'::text,
  probability integer,
  expected_close_date date,
  contact_id uuid,
  company_id uuid,
  tags text[] not null default '{}'::text[],
  tag_keys text[] generated always as (app.fold_all(tags)) stored,
  weight integer generated always as (COALESCE(probability,
CASE stage
    WHEN 'lead'::text THEN 10
    WHEN 'qualified'::text THEN 25
    WHEN 'proposal'::text THEN 50
    WHEN 'negotiation'::text THEN 75
    WHEN 'closed-won'::text THEN 100
    ELSE 0
END)) stored,
  search text generated always as (((app.fold(title) || '
'::text) || app.respelled(title))) stored,
  constraint deals_pkey PRIMARY KEY (user_id, id),
  constraint deals_company FOREIGN KEY (user_id, company_id) REFERENCES public.companies(user_id, id) ON DELETE SET NULL (company_id) DEFERRABLE,
  constraint deals_contact FOREIGN KEY (user_id, contact_id) REFERENCES public.crm_contacts(user_id, id) ON DELETE SET NULL (contact_id) DEFERRABLE,
  constraint deals_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX deals_changed ON public.deals USING btree (user_id, updated_at, id);
CREATE INDEX deals_company ON public.deals USING btree (user_id, company_id, id DESC) WHERE (company_id IS NOT NULL);
CREATE INDEX deals_contact ON public.deals USING btree (user_id, contact_id, id DESC) WHERE (contact_id IS NOT NULL);
CREATE INDEX deals_expected_close_date ON public.deals USING btree (user_id, expected_close_date, id);
CREATE INDEX deals_newest ON public.deals USING btree (user_id, id DESC) INCLUDE (search);
CREATE INDEX deals_search ON public.deals USING gin (user_id, search public.gin_trgm_ops);
CREATE INDEX deals_stage ON public.deals USING btree (user_id, stage, updated_at, id) INCLUDE (value, weight);
CREATE INDEX deals_tags ON public.deals USING gin (user_id, tag_keys);
CREATE INDEX deals_title ON public.deals USING btree (user_id, title COLLATE "und-x-icu", id);
CREATE INDEX deals_value ON public.deals USING btree (user_id, value, id);
CREATE INDEX deals_words ON public.deals USING gin (user_id, app.words(search)) WITH (gin_pending_list_limit='256');
alter table public.deals enable row level security;
create policy own on public.deals for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.deals to foyer_app;
CREATE TRIGGER journal_delete_cascade AFTER DELETE ON public.deals REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'tag_keys', 'weight', 'search');
CREATE TRIGGER journal_delete_direct AFTER DELETE ON public.deals REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'tag_keys', 'weight', 'search');
CREATE TRIGGER journal_insert_cascade AFTER INSERT ON public.deals REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'tag_keys', 'weight', 'search');
CREATE TRIGGER journal_insert_direct AFTER INSERT ON public.deals REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'tag_keys', 'weight', 'search');
CREATE TRIGGER journal_update_cascade AFTER UPDATE ON public.deals REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'tag_keys', 'weight', 'search');
CREATE TRIGGER journal_update_direct AFTER UPDATE ON public.deals REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'tag_keys', 'weight', 'search');
CREATE TRIGGER tags BEFORE INSERT OR UPDATE OF tags ON public.deals FOR EACH ROW WHEN ((cardinality(new.tags) > 1)) EXECUTE FUNCTION app.keep_tags_once();
CREATE TRIGGER touch BEFORE UPDATE ON public.deals FOR EACH ROW EXECUTE FUNCTION app.touch_deals();

create table public.distinct_contacts (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  contact_id uuid not null,
  other_id uuid not null,
  constraint distinct_contacts_pkey PRIMARY KEY (user_id, id),
  constraint distinct_contacts_are_two CHECK ((contact_id <> other_id)),
  constraint distinct_contacts_contact FOREIGN KEY (user_id, contact_id) REFERENCES public.crm_contacts(user_id, id) ON DELETE CASCADE DEFERRABLE,
  constraint distinct_contacts_other FOREIGN KEY (user_id, other_id) REFERENCES public.crm_contacts(user_id, id) ON DELETE CASCADE DEFERRABLE,
  constraint distinct_contacts_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX distinct_contacts_contact ON public.distinct_contacts USING btree (user_id, contact_id);
CREATE INDEX distinct_contacts_other ON public.distinct_contacts USING btree (user_id, other_id);
CREATE UNIQUE INDEX distinct_contacts_pair ON public.distinct_contacts USING btree (user_id, LEAST(contact_id, other_id), GREATEST(contact_id, other_id));
alter table public.distinct_contacts enable row level security;
create policy own on public.distinct_contacts for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.distinct_contacts to foyer_app;
CREATE TRIGGER journal_delete_cascade AFTER DELETE ON public.distinct_contacts REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade');
CREATE TRIGGER journal_delete_direct AFTER DELETE ON public.distinct_contacts REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct');
CREATE TRIGGER journal_insert_cascade AFTER INSERT ON public.distinct_contacts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade');
CREATE TRIGGER journal_insert_direct AFTER INSERT ON public.distinct_contacts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct');
CREATE TRIGGER journal_update_cascade AFTER UPDATE ON public.distinct_contacts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade');
CREATE TRIGGER journal_update_direct AFTER UPDATE ON public.distinct_contacts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct');
CREATE TRIGGER touch BEFORE UPDATE ON public.distinct_contacts FOR EACH ROW EXECUTE FUNCTION app.touch_distinct_contacts();

create table public.files (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  folder_id uuid,
  contact_id uuid,
  object_id uuid not null,
  file_name text not null,
  file_type text not null default 'unknown'::text,
  file_size bigint not null,
  mime_type text not null default 'application/octet-stream'::text,
  storage_path text not null,
  is_ai_generated boolean not null default false,
  search text generated always as (((app.fold(file_name) || '
'::text) || app.respelled(file_name))) stored,
  constraint files_pkey PRIMARY KEY (user_id, id),
  constraint files_place CHECK (((folder_id IS NULL) OR (contact_id IS NULL))),
  constraint files_contact FOREIGN KEY (user_id, contact_id) REFERENCES public.crm_contacts(user_id, id) ON DELETE CASCADE DEFERRABLE,
  constraint files_folder FOREIGN KEY (user_id, folder_id) REFERENCES public.folders(user_id, id) ON DELETE CASCADE DEFERRABLE,
  constraint files_object FOREIGN KEY (user_id, object_id) REFERENCES public.stored_objects(user_id, id) DEFERRABLE,
  constraint files_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX files_contact ON public.files USING btree (user_id, contact_id, id DESC) WHERE (contact_id IS NOT NULL);
CREATE INDEX files_folder_name ON public.files USING btree (user_id, folder_id, file_name COLLATE "und-x-icu", id) WHERE (folder_id IS NOT NULL);
CREATE INDEX files_folder_newest ON public.files USING btree (user_id, folder_id, id DESC) WHERE (folder_id IS NOT NULL);
CREATE INDEX files_folder_size ON public.files USING btree (user_id, folder_id, file_size, id) WHERE (folder_id IS NOT NULL);
CREATE INDEX files_name ON public.files USING btree (user_id, file_name COLLATE "und-x-icu", id);
CREATE INDEX files_newest ON public.files USING btree (user_id, id DESC) INCLUDE (search);
CREATE INDEX files_object ON public.files USING btree (user_id, object_id);
CREATE INDEX files_root_name ON public.files USING btree (user_id, file_name COLLATE "und-x-icu", id) WHERE ((folder_id IS NULL) AND (contact_id IS NULL));
CREATE INDEX files_root_newest ON public.files USING btree (user_id, id DESC) WHERE ((folder_id IS NULL) AND (contact_id IS NULL));
CREATE INDEX files_root_size ON public.files USING btree (user_id, file_size, id) WHERE ((folder_id IS NULL) AND (contact_id IS NULL));
CREATE INDEX files_search ON public.files USING gin (user_id, search public.gin_trgm_ops);
CREATE INDEX files_size ON public.files USING btree (user_id, file_size, id);
CREATE INDEX files_type ON public.files USING btree (user_id, file_type) INCLUDE (file_size);
CREATE INDEX files_words ON public.files USING gin (user_id, app.words(search)) WITH (gin_pending_list_limit='256');
alter table public.files enable row level security;
create policy own on public.files for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.files to foyer_app;
CREATE TRIGGER journal_delete_cascade AFTER DELETE ON public.files REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'search');
CREATE TRIGGER journal_delete_direct AFTER DELETE ON public.files REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'search');
CREATE TRIGGER journal_insert_cascade AFTER INSERT ON public.files REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'search');
CREATE TRIGGER journal_insert_direct AFTER INSERT ON public.files REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'search');
CREATE TRIGGER journal_update_cascade AFTER UPDATE ON public.files REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'search');
CREATE TRIGGER journal_update_direct AFTER UPDATE ON public.files REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'search');
CREATE TRIGGER touch BEFORE UPDATE ON public.files FOR EACH ROW EXECUTE FUNCTION app.touch_files();

create table public.folders (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  name text not null default ''::text,
  parent_folder_id uuid,
  search text generated always as (((app.fold(name) || '
'::text) || app.respelled(name))) stored,
  constraint folders_pkey PRIMARY KEY (user_id, id),
  constraint folders_parent FOREIGN KEY (user_id, parent_folder_id) REFERENCES public.folders(user_id, id) ON DELETE CASCADE DEFERRABLE,
  constraint folders_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX folders_name ON public.folders USING btree (user_id, name COLLATE "und-x-icu", id);
CREATE INDEX folders_newest ON public.folders USING btree (user_id, id DESC) INCLUDE (search);
CREATE INDEX folders_parent ON public.folders USING btree (user_id, parent_folder_id, name COLLATE "und-x-icu", id);
CREATE INDEX folders_search ON public.folders USING gin (user_id, search public.gin_trgm_ops);
CREATE INDEX folders_words ON public.folders USING gin (user_id, app.words(search)) WITH (gin_pending_list_limit='256');
alter table public.folders enable row level security;
create policy own on public.folders for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.folders to foyer_app;
CREATE TRIGGER check_added AFTER INSERT ON public.folders REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.check_folder_tree();
CREATE TRIGGER check_moved AFTER UPDATE ON public.folders REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.check_folder_tree();
CREATE TRIGGER journal_delete_cascade AFTER DELETE ON public.folders REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'search');
CREATE TRIGGER journal_delete_direct AFTER DELETE ON public.folders REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'search');
CREATE TRIGGER journal_insert_cascade AFTER INSERT ON public.folders REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'search');
CREATE TRIGGER journal_insert_direct AFTER INSERT ON public.folders REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'search');
CREATE TRIGGER journal_update_cascade AFTER UPDATE ON public.folders REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'search');
CREATE TRIGGER journal_update_direct AFTER UPDATE ON public.folders REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'search');
CREATE TRIGGER touch BEFORE UPDATE ON public.folders FOR EACH ROW EXECUTE FUNCTION app.touch_folders();

create table public.form_submission_files (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  submission_id uuid not null,
  field_name text not null,
  object_id uuid not null,
  file_name text not null,
  mime_type text not null default ''::text,
  file_size bigint not null,
  constraint form_submission_files_pkey PRIMARY KEY (user_id, id),
  constraint form_submission_files_object FOREIGN KEY (user_id, object_id) REFERENCES public.stored_objects(user_id, id) DEFERRABLE,
  constraint form_submission_files_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX form_submission_files_object ON public.form_submission_files USING btree (user_id, object_id);
CREATE INDEX form_submission_files_submission ON public.form_submission_files USING btree (user_id, submission_id);
alter table public.form_submission_files enable row level security;
create policy own on public.form_submission_files for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.form_submission_files to foyer_app;

create table public.form_submissions (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  form_id uuid not null,
  contact_id uuid,
  form_version_id uuid,
  submission_data jsonb not null default '{}'::jsonb,
  name text not null default ''::text,
  email text not null default ''::text,
  summary text not null default ''::text,
  source jsonb not null default '{}'::jsonb,
  is_spam boolean not null default false,
  spam_reason text not null default ''::text,
  search text generated always as (app.fold((((("left"(name, 201) || '
'::text) || "left"(email, 254)) || '
'::text) || "left"(summary, 150)))) stored,
  constraint form_submissions_pkey PRIMARY KEY (user_id, id),
  constraint form_submissions_contact FOREIGN KEY (user_id, contact_id) REFERENCES public.crm_contacts(user_id, id) ON DELETE SET NULL (contact_id) DEFERRABLE,
  constraint form_submissions_form FOREIGN KEY (user_id, form_id) REFERENCES public.lead_forms(user_id, id) ON DELETE CASCADE DEFERRABLE,
  constraint form_submissions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX form_submissions_contact ON public.form_submissions USING btree (user_id, contact_id, id DESC) WHERE (contact_id IS NOT NULL);
CREATE INDEX form_submissions_form ON public.form_submissions USING btree (user_id, form_id, is_spam, id DESC);
CREATE INDEX form_submissions_newest ON public.form_submissions USING btree (user_id, id DESC) INCLUDE (search);
CREATE INDEX form_submissions_search ON public.form_submissions USING gin (user_id, search public.gin_trgm_ops);
CREATE INDEX form_submissions_words ON public.form_submissions USING gin (user_id, app.words(search)) WITH (gin_pending_list_limit='256');
alter table public.form_submissions enable row level security;
create policy own on public.form_submissions for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.form_submissions to foyer_app;
CREATE TRIGGER journal_delete_cascade AFTER DELETE ON public.form_submissions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'search');
CREATE TRIGGER journal_delete_direct AFTER DELETE ON public.form_submissions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'search');
CREATE TRIGGER journal_insert_cascade AFTER INSERT ON public.form_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'search');
CREATE TRIGGER journal_insert_direct AFTER INSERT ON public.form_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'search');
CREATE TRIGGER journal_update_cascade AFTER UPDATE ON public.form_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'search');
CREATE TRIGGER journal_update_direct AFTER UPDATE ON public.form_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'search');
CREATE TRIGGER touch BEFORE UPDATE ON public.form_submissions FOR EACH ROW EXECUTE FUNCTION app.touch_form_submissions();

create table public.form_versions (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  form_id uuid not null,
  fields jsonb not null,
  fields_key text not null generated always as (md5((fields)::text)) stored,
  constraint form_versions_pkey PRIMARY KEY (user_id, id),
  constraint form_versions_fields UNIQUE (user_id, form_id, fields_key),
  constraint form_versions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
alter table public.form_versions enable row level security;
create policy own on public.form_versions for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.form_versions to foyer_app;

create table public.import_links (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  import_id uuid not null,
  record_id uuid not null,
  name text not null,
  number integer not null default 0,
  line integer not null default 0,
  constraint import_links_pkey PRIMARY KEY (user_id, id),
  constraint import_links_import FOREIGN KEY (user_id, import_id) REFERENCES public.imports(user_id, id) ON DELETE CASCADE,
  constraint import_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX import_links_import ON public.import_links USING btree (user_id, import_id, id);
alter table public.import_links enable row level security;
create policy own on public.import_links for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.import_links to foyer_app;

create table public.import_rows (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  import_id uuid not null,
  number integer not null,
  line integer not null,
  status text not null,
  column_header text not null default ''::text,
  reason text not null,
  cells text[] not null,
  row_count integer not null default 1,
  constraint import_rows_pkey PRIMARY KEY (user_id, id),
  constraint import_rows_status_check CHECK ((status = ANY (ARRAY['failed'::text, 'skipped'::text, 'remark'::text]))),
  constraint import_rows_import FOREIGN KEY (user_id, import_id) REFERENCES public.imports(user_id, id) ON DELETE CASCADE,
  constraint import_rows_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX import_rows_number ON public.import_rows USING btree (user_id, import_id, status, number);
alter table public.import_rows enable row level security;
create policy own on public.import_rows for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.import_rows to foyer_app;
CREATE TRIGGER count_delete AFTER DELETE ON public.import_rows REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows();
CREATE TRIGGER count_insert AFTER INSERT ON public.import_rows REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows();

create table public.imports (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  kind text not null,
  file_name text not null,
  file_size bigint not null,
  object_id uuid,
  status text not null default 'uploaded'::text,
  mode text not null default 'both'::text,
  options jsonb not null default '{}'::jsonb,
  found jsonb not null,
  mapping jsonb not null,
  created_count integer not null default 0,
  updated_count integer not null default 0,
  skipped_count integer not null default 0,
  failed_count integer not null default 0,
  rows_done integer not null default 0,
  rows_total integer,
  problem text not null default ''::text,
  change_id uuid,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  with_remarks_count integer not null default 0,
  constraint imports_pkey PRIMARY KEY (user_id, id),
  constraint imports_counts CHECK (((((created_count + updated_count) + skipped_count) + failed_count) = rows_done)),
  constraint imports_kind_check CHECK ((kind = ANY (ARRAY['contact'::text, 'company'::text, 'deal'::text, 'task'::text]))),
  constraint imports_mode_check CHECK ((mode = ANY (ARRAY['create'::text, 'update'::text, 'both'::text]))),
  constraint imports_status_check CHECK ((status = ANY (ARRAY['uploaded'::text, 'running'::text, 'finished'::text, 'failed'::text, 'stopped'::text]))),
  constraint imports_object FOREIGN KEY (user_id, object_id) REFERENCES public.stored_objects(user_id, id) DEFERRABLE,
  constraint imports_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX imports_object ON public.imports USING btree (user_id, object_id) WHERE (object_id IS NOT NULL);
CREATE INDEX imports_open ON public.imports USING btree (status) WHERE (status = ANY (ARRAY['uploaded'::text, 'running'::text]));
alter table public.imports enable row level security;
create policy own on public.imports for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.imports to foyer_app;
CREATE TRIGGER count_delete AFTER DELETE ON public.imports REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows();
CREATE TRIGGER count_insert AFTER INSERT ON public.imports REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows();
CREATE TRIGGER count_update AFTER UPDATE ON public.imports REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows();
CREATE TRIGGER publish_added AFTER INSERT ON public.imports REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();
CREATE TRIGGER publish_edited AFTER UPDATE ON public.imports REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();

create table public.journal (
  change uuid not null,
  step bigint not null,
  line integer not null,
  user_id uuid not null,
  table_name text not null,
  row_id uuid not null,
  operation "char" not null,
  cascade boolean not null,
  version integer not null,
  before jsonb,
  after jsonb,
  columns text[],
  constraint journal_pkey PRIMARY KEY (change, step, line)
) partition by RANGE (change);
CREATE INDEX journal_deleted ON ONLY public.journal USING btree (user_id, cascade, change, step, line) WHERE (operation = 'D'::"char");
CREATE INDEX journal_deleted_of_booking_link ON ONLY public.journal USING btree (user_id, ((before ->> 'booking_link_id'::text)), row_id DESC) WHERE ((operation = 'D'::"char") AND ((before ->> 'booking_link_id'::text) IS NOT NULL));
CREATE INDEX journal_deleted_of_company ON ONLY public.journal USING btree (user_id, ((before ->> 'company_id'::text)), row_id DESC) WHERE ((operation = 'D'::"char") AND ((before ->> 'company_id'::text) IS NOT NULL));
CREATE INDEX journal_deleted_of_contact ON ONLY public.journal USING btree (user_id, ((before ->> 'contact_id'::text)), row_id DESC) WHERE ((operation = 'D'::"char") AND ((before ->> 'contact_id'::text) IS NOT NULL));
CREATE INDEX journal_deleted_of_deal ON ONLY public.journal USING btree (user_id, ((before ->> 'deal_id'::text)), row_id DESC) WHERE ((operation = 'D'::"char") AND ((before ->> 'deal_id'::text) IS NOT NULL));
CREATE INDEX journal_deleted_of_folder ON ONLY public.journal USING btree (user_id, ((before ->> 'folder_id'::text)), row_id DESC) WHERE ((operation = 'D'::"char") AND ((before ->> 'folder_id'::text) IS NOT NULL));
CREATE INDEX journal_deleted_of_form ON ONLY public.journal USING btree (user_id, ((before ->> 'form_id'::text)), row_id DESC) WHERE ((operation = 'D'::"char") AND ((before ->> 'form_id'::text) IS NOT NULL));
CREATE INDEX journal_deleted_of_object ON ONLY public.journal USING btree (user_id, ((before ->> 'object_id'::text))) WHERE ((operation = 'D'::"char") AND ((before ->> 'object_id'::text) IS NOT NULL));
CREATE INDEX journal_row ON ONLY public.journal USING btree (row_id, step);
alter table public.journal enable row level security;
create policy own on public.journal for select using (user_id = app.owner());
grant select on table public.journal to foyer_app;
CREATE TRIGGER count_erased_lines AFTER DELETE ON public.journal REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_erased_lines();

create table public.lead_forms (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  title text not null default ''::text,
  slug text not null,
  description text not null default ''::text,
  success_message text not null default ''::text,
  is_active boolean not null default true,
  redirect_url text not null default ''::text,
  closes_at timestamp with time zone,
  max_submissions integer,
  form_fields jsonb not null default '[]'::jsonb,
  search text generated always as (((app.fold(title) || '
'::text) || app.respelled(title))) stored,
  constraint lead_forms_pkey PRIMARY KEY (user_id, id),
  constraint lead_forms_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX lead_forms_id ON public.lead_forms USING btree (id);
CREATE INDEX lead_forms_newest ON public.lead_forms USING btree (user_id, id DESC) INCLUDE (search);
CREATE INDEX lead_forms_search ON public.lead_forms USING gin (user_id, search public.gin_trgm_ops);
CREATE UNIQUE INDEX lead_forms_slug ON public.lead_forms USING btree (slug);
CREATE INDEX lead_forms_words ON public.lead_forms USING gin (user_id, app.words(search)) WITH (gin_pending_list_limit='256');
alter table public.lead_forms enable row level security;
create policy own on public.lead_forms for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.lead_forms to foyer_app;
CREATE TRIGGER journal_delete_cascade AFTER DELETE ON public.lead_forms REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'search');
CREATE TRIGGER journal_delete_direct AFTER DELETE ON public.lead_forms REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'search');
CREATE TRIGGER journal_insert_cascade AFTER INSERT ON public.lead_forms REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'search');
CREATE TRIGGER journal_insert_direct AFTER INSERT ON public.lead_forms REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'search');
CREATE TRIGGER journal_update_cascade AFTER UPDATE ON public.lead_forms REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'search');
CREATE TRIGGER journal_update_direct AFTER UPDATE ON public.lead_forms REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'search');
CREATE TRIGGER touch BEFORE UPDATE ON public.lead_forms FOR EACH ROW EXECUTE FUNCTION app.touch_lead_forms();

create table public.message_files (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  message_id uuid not null,
  file_name text not null,
  mime_type text not null,
  file_size integer not null,
  bytes bytea not null,
  constraint message_files_pkey PRIMARY KEY (user_id, id),
  constraint message_files_message FOREIGN KEY (user_id, message_id) REFERENCES public.messages(user_id, id) ON DELETE CASCADE,
  constraint message_files_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX message_files_message ON public.message_files USING btree (user_id, message_id, id);
alter table public.message_files enable row level security;
create policy own on public.message_files for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.message_files to foyer_app;
CREATE TRIGGER count_delete AFTER DELETE ON public.message_files REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows();
CREATE TRIGGER count_insert AFTER INSERT ON public.message_files REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows();

create table public.messages (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  conversation_id uuid not null,
  number integer not null,
  role text not null,
  content text not null default ''::text,
  state text not null default 'done'::text,
  problem text not null default ''::text,
  steps jsonb not null default '[]'::jsonb,
  refs jsonb not null default '[]'::jsonb,
  circumstances jsonb not null default '{}'::jsonb,
  proposal_id uuid,
  model_messages jsonb not null default '[]'::jsonb,
  input_tokens integer,
  output_tokens integer,
  cost double precision,
  heartbeat_at timestamp with time zone not null default now(),
  stop_requested boolean not null default false,
  is_replaced boolean not null default false,
  search text not null generated always as (
CASE
    WHEN (state = 'streaming'::text) THEN ''::text
    ELSE app.fold(content)
END) stored,
  constraint messages_pkey PRIMARY KEY (user_id, id),
  constraint messages_number UNIQUE (user_id, conversation_id, number),
  constraint messages_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text]))),
  constraint messages_state_check CHECK ((state = ANY (ARRAY['streaming'::text, 'done'::text, 'stopped'::text, 'interrupted'::text, 'cut'::text, 'too_many_steps'::text, 'failed'::text]))),
  constraint messages_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX messages_search ON public.messages USING gin (user_id, search public.gin_trgm_ops);
CREATE INDEX messages_shown ON public.messages USING btree (user_id, conversation_id, number DESC) WHERE (NOT is_replaced);
CREATE INDEX messages_streaming ON public.messages USING btree (user_id, id) WHERE (state = 'streaming'::text);
alter table public.messages enable row level security;
create policy own on public.messages for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.messages to foyer_app;
CREATE TRIGGER count_delete AFTER DELETE ON public.messages REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows();
CREATE TRIGGER count_insert AFTER INSERT ON public.messages REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows();
CREATE TRIGGER count_update AFTER UPDATE ON public.messages REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows();
CREATE TRIGGER publish_messages AFTER UPDATE ON public.messages REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_messages();
CREATE TRIGGER publish_writes AFTER INSERT ON public.messages REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();

create table public.notes (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  contact_id uuid not null,
  content text not null default ''::text,
  search text generated always as (((app.fold(content) || '
'::text) || app.respelled(content))) stored,
  constraint notes_pkey PRIMARY KEY (user_id, id),
  constraint notes_contact FOREIGN KEY (user_id, contact_id) REFERENCES public.crm_contacts(user_id, id) ON DELETE CASCADE DEFERRABLE,
  constraint notes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX notes_contact ON public.notes USING btree (user_id, contact_id, id DESC);
CREATE INDEX notes_search ON public.notes USING gin (user_id, search public.gin_trgm_ops);
CREATE INDEX notes_words ON public.notes USING gin (user_id, app.words(search)) WITH (gin_pending_list_limit='256');
alter table public.notes enable row level security;
create policy own on public.notes for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.notes to foyer_app;
CREATE TRIGGER journal_delete_cascade AFTER DELETE ON public.notes REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'search');
CREATE TRIGGER journal_delete_direct AFTER DELETE ON public.notes REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'search');
CREATE TRIGGER journal_insert_cascade AFTER INSERT ON public.notes REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'search');
CREATE TRIGGER journal_insert_direct AFTER INSERT ON public.notes REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'search');
CREATE TRIGGER journal_update_cascade AFTER UPDATE ON public.notes REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'search');
CREATE TRIGGER journal_update_direct AFTER UPDATE ON public.notes REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'search');
CREATE TRIGGER touch BEFORE UPDATE ON public.notes FOR EACH ROW EXECUTE FUNCTION app.touch_notes();

create table public.object_text_parts (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  object_id uuid not null,
  number integer not null,
  page integer,
  content text not null,
  words text not null generated always as (app.index_words(content)) stored,
  constraint object_text_parts_pkey PRIMARY KEY (user_id, id),
  constraint object_text_parts_number UNIQUE (user_id, object_id, number),
  constraint object_text_parts_text FOREIGN KEY (user_id, object_id) REFERENCES public.object_texts(user_id, id) ON DELETE CASCADE,
  constraint object_text_parts_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
alter table public.object_text_parts enable row level security;
create policy own on public.object_text_parts for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.object_text_parts to foyer_app;

create table public.object_texts (
  user_id uuid not null default app.owner(),
  id uuid not null,
  created_at timestamp with time zone not null default now(),
  state text not null default 'waiting'::text,
  reason text not null default ''::text,
  is_cut boolean not null default false,
  words tsvector not null default ''::tsvector,
  constraint object_texts_pkey PRIMARY KEY (user_id, id),
  constraint object_texts_reason CHECK (((reason <> ''::text) = (state = 'failed'::text))),
  constraint object_texts_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'ready'::text, 'failed'::text]))),
  constraint object_texts_object FOREIGN KEY (user_id, id) REFERENCES public.stored_objects(user_id, id) ON DELETE CASCADE,
  constraint object_texts_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX object_texts_waiting ON public.object_texts USING btree (user_id, id) WHERE (state = 'waiting'::text);
CREATE INDEX object_texts_words ON public.object_texts USING gin (user_id, words) WITH (fastupdate=off);
alter table public.object_texts enable row level security;
create policy own on public.object_texts for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.object_texts to foyer_app;
CREATE TRIGGER publish_writes AFTER UPDATE ON public.object_texts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();

create table public.object_thumbnails (
  user_id uuid not null default app.owner(),
  id uuid not null,
  image bytea not null,
  constraint object_thumbnails_pkey PRIMARY KEY (user_id, id),
  constraint object_thumbnails_object FOREIGN KEY (user_id, id) REFERENCES public.stored_objects(user_id, id) ON DELETE CASCADE,
  constraint object_thumbnails_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
alter table public.object_thumbnails enable row level security;
create policy own on public.object_thumbnails for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.object_thumbnails to foyer_app;

create table public.other_calendar_sources (
  user_id uuid not null default app.owner(),
  id uuid not null,
  created_at timestamp with time zone not null default now(),
  sealed_address text not null,
  host text not null,
  etag text,
  last_modified text,
  timezone text not null default ''::text,
  read_until timestamp with time zone,
  next_read_at timestamp with time zone not null,
  last_read_at timestamp with time zone,
  failures integer not null default 0,
  problem text,
  unreadable_events integer not null default 0,
  constraint other_calendar_sources_pkey PRIMARY KEY (user_id, id),
  constraint other_calendar_sources_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX other_calendar_sources_due ON public.other_calendar_sources USING btree (next_read_at);
alter table public.other_calendar_sources enable row level security;
create policy own on public.other_calendar_sources for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.other_calendar_sources to foyer_app;
CREATE TRIGGER publish_edited AFTER UPDATE ON public.other_calendar_sources REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();

create table public.other_calendar_times (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  calendar_id uuid not null,
  start_time timestamp with time zone not null,
  end_time timestamp with time zone not null,
  constraint other_calendar_times_pkey PRIMARY KEY (user_id, id),
  constraint other_calendar_times_check CHECK ((end_time > start_time)),
  constraint other_calendar_times_source FOREIGN KEY (user_id, calendar_id) REFERENCES public.other_calendar_sources(user_id, id) ON DELETE CASCADE,
  constraint other_calendar_times_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX other_calendar_times_calendar ON public.other_calendar_times USING btree (user_id, calendar_id, start_time);
CREATE INDEX other_calendar_times_end ON public.other_calendar_times USING btree (user_id, end_time);
alter table public.other_calendar_times enable row level security;
create policy own on public.other_calendar_times for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.other_calendar_times to foyer_app;

create table public.other_calendars (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  name text not null,
  constraint other_calendars_pkey PRIMARY KEY (user_id, id),
  constraint other_calendars_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
alter table public.other_calendars enable row level security;
create policy own on public.other_calendars for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.other_calendars to foyer_app;
CREATE TRIGGER journal_delete_cascade AFTER DELETE ON public.other_calendars REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade');
CREATE TRIGGER journal_delete_direct AFTER DELETE ON public.other_calendars REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct');
CREATE TRIGGER journal_insert_cascade AFTER INSERT ON public.other_calendars REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade');
CREATE TRIGGER journal_insert_direct AFTER INSERT ON public.other_calendars REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct');
CREATE TRIGGER journal_update_cascade AFTER UPDATE ON public.other_calendars REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade');
CREATE TRIGGER journal_update_direct AFTER UPDATE ON public.other_calendars REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct');
CREATE TRIGGER touch BEFORE UPDATE ON public.other_calendars FOR EACH ROW EXECUTE FUNCTION app.touch_other_calendars();

create table public.outbox_mails (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  to_address text not null,
  reply_to text not null default ''::text,
  subject text not null,
  content text not null,
  calendar text not null default ''::text,
  calendar_method text not null default ''::text,
  state text not null default 'waiting'::text,
  problem text not null default ''::text,
  sent_at timestamp with time zone,
  about_kind text not null default ''::text,
  about_id uuid,
  about_parent_id uuid,
  queued_at timestamp with time zone not null default now(),
  series text not null default ''::text,
  expires_at timestamp with time zone,
  constraint outbox_mails_pkey PRIMARY KEY (user_id, id),
  constraint outbox_mails_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'off'::text, 'failed'::text, 'given_up'::text]))),
  constraint outbox_mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX outbox_mails_about ON public.outbox_mails USING btree (user_id, about_id, id DESC) WHERE (about_id IS NOT NULL);
CREATE INDEX outbox_mails_newest ON public.outbox_mails USING btree (user_id, id DESC);
CREATE INDEX outbox_mails_state ON public.outbox_mails USING btree (user_id, state, id DESC);
alter table public.outbox_mails enable row level security;
create policy own on public.outbox_mails for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.outbox_mails to foyer_app;
CREATE TRIGGER count_delete AFTER DELETE ON public.outbox_mails REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows();
CREATE TRIGGER count_insert AFTER INSERT ON public.outbox_mails REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('unlimited');
CREATE TRIGGER count_update AFTER UPDATE ON public.outbox_mails REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows();
CREATE TRIGGER publish_added AFTER INSERT ON public.outbox_mails REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();
CREATE TRIGGER publish_edited AFTER UPDATE ON public.outbox_mails REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();

create table public.password_resets (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  token_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint password_resets_pkey PRIMARY KEY (user_id, id),
  constraint password_resets_token_hash_key UNIQUE (token_hash),
  constraint password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
alter table public.password_resets enable row level security;
create policy own on public.password_resets for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select on table public.password_resets to foyer_app;

create table public.profiles (
  user_id uuid not null default app.owner(),
  id uuid not null default app.owner(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  full_name text not null default ''::text,
  timezone text not null default 'UTC'::text,
  country text not null default ''::text,
  currency text not null default 'USD'::text,
  first_steps_hidden boolean not null default false,
  region_confirmed boolean not null default false,
  constraint profiles_pkey PRIMARY KEY (user_id, id),
  constraint profiles_check CHECK ((id = user_id)),
  constraint profiles_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
alter table public.profiles enable row level security;
create policy own on public.profiles for all using (user_id = app.owner()) with check (user_id = app.owner());
grant insert, select, update on table public.profiles to foyer_app;
CREATE TRIGGER journal_delete_cascade AFTER DELETE ON public.profiles REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade');
CREATE TRIGGER journal_delete_direct AFTER DELETE ON public.profiles REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct');
CREATE TRIGGER journal_insert_cascade AFTER INSERT ON public.profiles REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade');
CREATE TRIGGER journal_insert_direct AFTER INSERT ON public.profiles REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct');
CREATE TRIGGER journal_update_cascade AFTER UPDATE ON public.profiles REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade');
CREATE TRIGGER journal_update_direct AFTER UPDATE ON public.profiles REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct');
CREATE TRIGGER phone_keys AFTER UPDATE ON public.profiles FOR EACH ROW WHEN (((old.country <> new.country) AND (CURRENT_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.ask_for_phone_keys();
CREATE TRIGGER touch BEFORE UPDATE ON public.profiles FOR EACH ROW EXECUTE FUNCTION app.touch_profiles();

create table public.proposals (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  conversation_id uuid not null,
  message_id uuid not null,
  state text not null default 'open'::text,
  items jsonb not null default '[]'::jsonb,
  change_id uuid,
  decided_at timestamp with time zone,
  constraint proposals_pkey PRIMARY KEY (user_id, id),
  constraint proposals_state_check CHECK ((state = ANY (ARRAY['open'::text, 'applied'::text, 'discarded'::text]))),
  constraint proposals_message FOREIGN KEY (user_id, message_id) REFERENCES public.messages(user_id, id) ON DELETE CASCADE,
  constraint proposals_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX proposals_message ON public.proposals USING btree (user_id, message_id);
alter table public.proposals enable row level security;
create policy own on public.proposals for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.proposals to foyer_app;
CREATE TRIGGER count_delete AFTER DELETE ON public.proposals REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows();
CREATE TRIGGER count_insert AFTER INSERT ON public.proposals REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows();
CREATE TRIGGER count_update AFTER UPDATE ON public.proposals REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows();
CREATE TRIGGER publish_changes AFTER UPDATE ON public.proposals REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();
CREATE TRIGGER publish_writes AFTER INSERT ON public.proposals REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();

create table public.record_use (
  user_id uuid not null default app.owner(),
  id uuid not null,
  bytes bigint not null,
  erased_before uuid,
  constraint record_use_pkey PRIMARY KEY (user_id, id),
  constraint record_use_check CHECK ((id = user_id)),
  constraint record_use_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
alter table public.record_use enable row level security;
create policy own on public.record_use for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.record_use to foyer_app;

create table public.refused_company_names (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  name text not null,
  constraint refused_company_names_pkey PRIMARY KEY (user_id, id),
  constraint refused_company_names_name UNIQUE (user_id, name),
  constraint refused_company_names_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
alter table public.refused_company_names enable row level security;
create policy own on public.refused_company_names for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.refused_company_names to foyer_app;

create table public.sessions (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  token_hash bytea not null,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  user_agent text not null default ''::text,
  constraint sessions_pkey PRIMARY KEY (user_id, id),
  constraint sessions_token_hash_key UNIQUE (token_hash),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);
alter table public.sessions enable row level security;
create policy own on public.sessions for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.sessions to foyer_app;

create table public.skipped_rows (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  change_id uuid not null,
  table_name text not null,
  row_id uuid not null,
  why text not null,
  columns text[],
  constraint skipped_rows_pkey PRIMARY KEY (user_id, id),
  constraint skipped_rows_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX skipped_rows_change ON public.skipped_rows USING btree (user_id, change_id, id);
alter table public.skipped_rows enable row level security;
create policy own on public.skipped_rows for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.skipped_rows to foyer_app;

create table public.storage_use (
  user_id uuid not null default app.owner(),
  id uuid not null,
  stored_bytes bigint not null,
  constraint storage_use_pkey PRIMARY KEY (user_id, id),
  constraint storage_use_check CHECK ((id = user_id)),
  constraint storage_use_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
alter table public.storage_use enable row level security;
create policy own on public.storage_use for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.storage_use to foyer_app;

create table public.stored_objects (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  storage_path text not null,
  file_size bigint not null,
  sha256 bytea,
  constraint stored_objects_pkey PRIMARY KEY (user_id, id),
  constraint stored_objects_path UNIQUE (storage_path),
  constraint stored_objects_file_size_check CHECK ((file_size >= 0)),
  constraint stored_objects_sha256_check CHECK ((length(sha256) = 32)),
  constraint stored_objects_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
alter table public.stored_objects enable row level security;
create policy own on public.stored_objects for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.stored_objects to foyer_app;
CREATE TRIGGER count_added_bytes AFTER INSERT ON public.stored_objects REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_stored_bytes();
CREATE TRIGGER count_deleted_bytes AFTER DELETE ON public.stored_objects REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_stored_bytes();
CREATE TRIGGER delete_bytes AFTER DELETE ON public.stored_objects REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.delete_bytes();

create table public.tasks (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  title text not null default ''::text,
  description text not null default ''::text,
  status text not null default 'pending'::text,
  priority text not null default 'medium'::text,
  due_date date,
  completed_at timestamp with time zone,
  contact_id uuid,
  deal_id uuid,
  priority_rank integer generated always as (
CASE priority
    WHEN 'low'::text THEN 1
    WHEN 'medium'::text THEN 2
    ELSE 3
END) stored,
  search text generated always as (((app.fold(title) || '
'::text) || app.respelled(title))) stored,
  constraint tasks_pkey PRIMARY KEY (user_id, id),
  constraint tasks_contact FOREIGN KEY (user_id, contact_id) REFERENCES public.crm_contacts(user_id, id) ON DELETE SET NULL (contact_id) DEFERRABLE,
  constraint tasks_deal FOREIGN KEY (user_id, deal_id) REFERENCES public.deals(user_id, id) ON DELETE SET NULL (deal_id) DEFERRABLE,
  constraint tasks_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX tasks_contact ON public.tasks USING btree (user_id, contact_id, id DESC) WHERE (contact_id IS NOT NULL);
CREATE INDEX tasks_deal ON public.tasks USING btree (user_id, deal_id, id DESC) WHERE (deal_id IS NOT NULL);
CREATE INDEX tasks_due_date ON public.tasks USING btree (user_id, due_date, id);
CREATE INDEX tasks_newest ON public.tasks USING btree (user_id, id DESC) INCLUDE (search);
CREATE INDEX tasks_open ON public.tasks USING btree (user_id, due_date, id) WHERE (status <> 'completed'::text);
CREATE INDEX tasks_priority ON public.tasks USING btree (user_id, priority_rank, id);
CREATE INDEX tasks_search ON public.tasks USING gin (user_id, search public.gin_trgm_ops);
CREATE INDEX tasks_title ON public.tasks USING btree (user_id, title COLLATE "und-x-icu", id);
CREATE INDEX tasks_words ON public.tasks USING gin (user_id, app.words(search)) WITH (gin_pending_list_limit='256');
alter table public.tasks enable row level security;
create policy own on public.tasks for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.tasks to foyer_app;
CREATE TRIGGER complete BEFORE INSERT OR UPDATE ON public.tasks FOR EACH ROW EXECUTE FUNCTION app.complete_task();
CREATE TRIGGER journal_delete_cascade AFTER DELETE ON public.tasks REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'priority_rank', 'search');
CREATE TRIGGER journal_delete_direct AFTER DELETE ON public.tasks REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'priority_rank', 'search');
CREATE TRIGGER journal_insert_cascade AFTER INSERT ON public.tasks REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'priority_rank', 'search');
CREATE TRIGGER journal_insert_direct AFTER INSERT ON public.tasks REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'priority_rank', 'search');
CREATE TRIGGER journal_update_cascade AFTER UPDATE ON public.tasks REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade', 'priority_rank', 'search');
CREATE TRIGGER journal_update_direct AFTER UPDATE ON public.tasks REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct', 'priority_rank', 'search');
CREATE TRIGGER touch BEFORE UPDATE ON public.tasks FOR EACH ROW EXECUTE FUNCTION app.touch_tasks();

create table public.unjournaled_writes (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  xid xid8 default pg_current_xact_id(),
  table_name text not null,
  constraint unjournaled_writes_pkey PRIMARY KEY (user_id, id),
  constraint unjournaled_writes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX unjournaled_writes_xid ON public.unjournaled_writes USING btree (xid);
alter table public.unjournaled_writes enable row level security;
create policy own on public.unjournaled_writes for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.unjournaled_writes to foyer_app;

create table public.upload_parts (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  upload_id uuid not null,
  number integer not null,
  tag text not null,
  size integer not null,
  constraint upload_parts_pkey PRIMARY KEY (user_id, id),
  constraint upload_parts_number UNIQUE (user_id, upload_id, number),
  constraint upload_parts_upload FOREIGN KEY (user_id, upload_id) REFERENCES public.uploads(user_id, id) ON DELETE CASCADE,
  constraint upload_parts_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
alter table public.upload_parts enable row level security;
create policy own on public.upload_parts for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.upload_parts to foyer_app;

create table public.uploads (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  file_name text not null,
  file_size bigint not null,
  mime_type text not null,
  folder_id uuid,
  contact_id uuid,
  if_exists text not null,
  storage_path text,
  storage_upload_id text,
  expires_at timestamp with time zone not null,
  file_id uuid,
  becomes_file boolean not null default true,
  constraint uploads_pkey PRIMARY KEY (user_id, id),
  constraint uploads_path UNIQUE (storage_path),
  constraint uploads_file_size_check CHECK ((file_size >= 0)),
  constraint uploads_if_exists_check CHECK ((if_exists = ANY (ARRAY['keep_both'::text, 'replace'::text, 'skip'::text]))),
  constraint uploads_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX uploads_expiry ON public.uploads USING btree (expires_at);
CREATE INDEX uploads_open ON public.uploads USING btree (user_id, id) INCLUDE (file_size) WHERE (file_id IS NULL);
alter table public.uploads enable row level security;
create policy own on public.uploads for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.uploads to foyer_app;
CREATE TRIGGER delete_bytes AFTER DELETE ON public.uploads REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.delete_bytes();

create table public.used_page_tokens (
  token_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint used_page_tokens_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX used_page_tokens_expiry ON public.used_page_tokens USING btree (expires_at);

create table public.users (
  id uuid not null,
  email text not null,
  password_hash text not null,
  created_at timestamp with time zone not null default now(),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_key UNIQUE (email),
  constraint users_email_check CHECK ((email = lower(btrim(email))))
);
alter table public.users enable row level security;
create policy own on public.users for all using (id = app.owner()) with check (id = app.owner());
grant insert, select, update on table public.users to foyer_app;

create table public.views (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  version integer not null default 1,
  list text not null,
  name text not null,
  address text not null,
  constraint views_pkey PRIMARY KEY (user_id, id),
  constraint views_name UNIQUE (user_id, list, name),
  constraint views_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
alter table public.views enable row level security;
create policy own on public.views for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.views to foyer_app;
CREATE TRIGGER journal_delete_cascade AFTER DELETE ON public.views REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade');
CREATE TRIGGER journal_delete_direct AFTER DELETE ON public.views REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct');
CREATE TRIGGER journal_insert_cascade AFTER INSERT ON public.views REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade');
CREATE TRIGGER journal_insert_direct AFTER INSERT ON public.views REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct');
CREATE TRIGGER journal_update_cascade AFTER UPDATE ON public.views REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN (((CURRENT_USER <> 'foyer_app'::name) AND (SESSION_USER = 'foyer_app'::name))) EXECUTE FUNCTION app.write_journal('cascade');
CREATE TRIGGER journal_update_direct AFTER UPDATE ON public.views REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((CURRENT_USER = 'foyer_app'::name)) EXECUTE FUNCTION app.write_journal('direct');
CREATE TRIGGER touch BEFORE UPDATE ON public.views FOR EACH ROW EXECUTE FUNCTION app.touch_views();

create table public.webhook_changes (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  change_id uuid not null,
  constraint webhook_changes_pkey PRIMARY KEY (user_id, id),
  constraint webhook_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
alter table public.webhook_changes enable row level security;
create policy own on public.webhook_changes for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.webhook_changes to foyer_app;

create table public.webhook_deliveries (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null,
  endpoint_id uuid not null,
  event text not null,
  change_id uuid,
  step bigint not null default 0,
  line integer not null default 0,
  record_id uuid not null,
  status text not null default 'waiting'::text,
  is_next boolean not null,
  attempts integer not null default 0,
  queued_at timestamp with time zone not null,
  next_at timestamp with time zone not null,
  response_status integer,
  problem text,
  duration_ms integer,
  finished_at timestamp with time zone,
  earlier_attempts integer not null default 0,
  earlier_problem text,
  constraint webhook_deliveries_pkey PRIMARY KEY (user_id, id),
  constraint webhook_deliveries_endpoint FOREIGN KEY (user_id, endpoint_id) REFERENCES public.webhook_endpoints(user_id, id) ON DELETE CASCADE,
  constraint webhook_deliveries_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (user_id, endpoint_id, next_at, id) WHERE ((status = 'waiting'::text) AND is_next);
CREATE INDEX webhook_deliveries_failed ON public.webhook_deliveries USING btree (user_id, endpoint_id, id) WHERE (status = 'failed'::text);
CREATE INDEX webhook_deliveries_log ON public.webhook_deliveries USING btree (user_id, endpoint_id, id DESC);
CREATE INDEX webhook_deliveries_record ON public.webhook_deliveries USING btree (user_id, endpoint_id, record_id, step, line, id) WHERE (status = 'waiting'::text);
alter table public.webhook_deliveries enable row level security;
create policy own on public.webhook_deliveries for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.webhook_deliveries to foyer_app;

create table public.webhook_endpoints (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  created_at timestamp with time zone not null default now(),
  url text not null,
  description text not null default ''::text,
  events text[] not null,
  is_active boolean not null default true,
  sealed_secret text not null,
  failures integer not null default 0,
  failing_since timestamp with time zone,
  paused_until timestamp with time zone,
  problem text,
  last_success_at timestamp with time zone,
  failing_mail_at timestamp with time zone,
  given_up_mail_at timestamp with time zone,
  turned_on_at timestamp with time zone,
  constraint webhook_endpoints_pkey PRIMARY KEY (user_id, id),
  constraint webhook_endpoints_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
alter table public.webhook_endpoints enable row level security;
create policy own on public.webhook_endpoints for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.webhook_endpoints to foyer_app;
CREATE TRIGGER publish_added AFTER INSERT ON public.webhook_endpoints REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();
CREATE TRIGGER publish_deleted AFTER DELETE ON public.webhook_endpoints REFERENCING OLD TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();
CREATE TRIGGER publish_edited AFTER UPDATE ON public.webhook_endpoints REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.publish_writes();

create table public.zips (
  user_id uuid not null default app.owner(),
  id uuid not null default uuidv7(),
  expires_at timestamp with time zone not null,
  file_ids uuid[] not null,
  folder_ids uuid[] not null,
  contact_id uuid,
  digest text not null,
  constraint zips_pkey PRIMARY KEY (user_id, id),
  constraint zips_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE
);
CREATE INDEX zips_expiry ON public.zips USING btree (expires_at);
alter table public.zips enable row level security;
create policy own on public.zips for all using (user_id = app.owner()) with check (user_id = app.owner());
grant delete, insert, select, update on table public.zips to foyer_app;

create sequence app.journal_step as bigint increment by 1 cache 1;

create sequence jobs.workers as integer increment by 1 cache 1;

create view app.journal_links as
 SELECT child.name AS child,
    parent.name AS parent,
    (a.attname)::text AS column_name,
    a.attnotnull AS required,
    (c.confdeltype = 'c'::"char") AS cascades
   FROM (((pg_constraint c
     JOIN app.journaled_tables child ON ((child.oid = c.conrelid)))
     JOIN app.journaled_tables parent ON ((parent.oid = c.confrelid)))
     JOIN pg_attribute a ON (((a.attrelid = c.conrelid) AND (a.attnum = ANY (c.conkey)) AND (a.attname <> 'user_id'::name))))
  WHERE (c.contype = 'f'::"char");
grant select on table app.journal_links to foyer_app;

create view app.journaled_tables as
 SELECT oid,
    (relname)::text AS name
   FROM pg_class t
  WHERE ((relnamespace = ('public'::regnamespace)::oid) AND (EXISTS ( SELECT
           FROM pg_trigger g
          WHERE ((g.tgrelid = t.oid) AND (g.tgname = 'journal_delete_direct'::name)))));
grant select on table app.journaled_tables to foyer_app;

create view public.booking_links_find as
 SELECT user_id,
    id,
    created_at,
    updated_at,
    version,
    title,
    slug,
    description,
    color,
    duration_minutes,
    step_minutes,
    notice_minutes,
    buffer_before_minutes,
    buffer_after_minutes,
    window_days,
    max_per_day,
    max_per_visitor,
    cutoff_minutes,
    is_active,
    availability,
    search,
    questions
   FROM public.booking_links
  WHERE (user_id = app.owner());
grant select on table public.booking_links_find to foyer_app;

create view public.bookings_find as
 SELECT user_id,
    id,
    created_at,
    updated_at,
    version,
    title,
    description,
    start_time,
    end_time,
    timezone,
    attendee_name,
    attendee_email,
    attendee_phone,
    notes,
    status,
    booking_link_id,
    contact_id,
    buffer_before_minutes,
    buffer_after_minutes,
    request_key,
    busy,
    search,
    answers
   FROM public.bookings
  WHERE (user_id = app.owner());
grant select on table public.bookings_find to foyer_app;

create view public.companies_find as
 SELECT user_id,
    id,
    created_at,
    updated_at,
    version,
    name,
    industry,
    website,
    phone,
    email,
    employees_count,
    tags,
    tag_keys,
    search
   FROM public.companies
  WHERE (user_id = app.owner());
grant select on table public.companies_find to foyer_app;

create view public.conversations_find as
 SELECT user_id,
    id,
    created_at,
    updated_at,
    version,
    title,
    allowed_changes,
    search
   FROM public.conversations
  WHERE (user_id = app.owner());
grant select on table public.conversations_find to foyer_app;

create view public.crm_contacts_find as
 SELECT user_id,
    id,
    created_at,
    updated_at,
    version,
    external_id,
    crm_connection_id,
    first_name,
    last_name,
    email,
    phone,
    mobile_phone,
    company,
    title,
    department,
    mailing_street,
    mailing_city,
    mailing_state,
    mailing_postal_code,
    mailing_country,
    reports_to_id,
    lead_source,
    description,
    raw_data,
    phone_key,
    mobile_phone_key,
    email_key,
    name,
    search,
    company_id,
    tags,
    tag_keys
   FROM public.crm_contacts
  WHERE (user_id = app.owner());
grant select on table public.crm_contacts_find to foyer_app;

create view public.deals_find as
 SELECT user_id,
    id,
    created_at,
    updated_at,
    version,
    title,
    description,
    value,
    stage,
    probability,
    expected_close_date,
    contact_id,
    company_id,
    tags,
    tag_keys,
    weight,
    search
   FROM public.deals
  WHERE (user_id = app.owner());
grant select on table public.deals_find to foyer_app;

create view public.deleted_rows as
 SELECT user_id,
    table_name,
    row_id,
    before
   FROM public.journal
  WHERE ((user_id = app.owner()) AND (operation = 'D'::"char"));
grant select on table public.deleted_rows to foyer_app;

create view public.files_find as
 SELECT user_id,
    id,
    created_at,
    updated_at,
    version,
    folder_id,
    contact_id,
    object_id,
    file_name,
    file_type,
    file_size,
    mime_type,
    storage_path,
    is_ai_generated,
    search
   FROM public.files
  WHERE (user_id = app.owner());
grant select on table public.files_find to foyer_app;

create view public.folders_find as
 SELECT user_id,
    id,
    created_at,
    updated_at,
    version,
    name,
    parent_folder_id,
    search
   FROM public.folders
  WHERE (user_id = app.owner());
grant select on table public.folders_find to foyer_app;

create view public.form_submissions_find as
 SELECT user_id,
    id,
    created_at,
    updated_at,
    version,
    form_id,
    contact_id,
    form_version_id,
    submission_data,
    name,
    email,
    summary,
    source,
    is_spam,
    spam_reason,
    search
   FROM public.form_submissions
  WHERE (user_id = app.owner());
grant select on table public.form_submissions_find to foyer_app;

create view public.lead_forms_find as
 SELECT user_id,
    id,
    created_at,
    updated_at,
    version,
    title,
    slug,
    description,
    success_message,
    is_active,
    redirect_url,
    closes_at,
    max_submissions,
    form_fields,
    search
   FROM public.lead_forms
  WHERE (user_id = app.owner());
grant select on table public.lead_forms_find to foyer_app;

create view public.notes_find as
 SELECT user_id,
    id,
    created_at,
    updated_at,
    version,
    contact_id,
    content,
    search
   FROM public.notes
  WHERE (user_id = app.owner());
grant select on table public.notes_find to foyer_app;

create view public.own_messages as
 SELECT user_id,
    id,
    created_at,
    conversation_id,
    number,
    role,
    content,
    state,
    problem,
    steps,
    refs,
    circumstances,
    proposal_id,
    model_messages,
    input_tokens,
    output_tokens,
    cost,
    heartbeat_at,
    stop_requested,
    is_replaced,
    search
   FROM public.messages
  WHERE (user_id = app.owner());
grant select on table public.own_messages to foyer_app;

create view public.own_object_texts as
 SELECT user_id,
    id,
    created_at,
    state,
    reason,
    is_cut,
    words
   FROM public.object_texts
  WHERE (user_id = app.owner());
grant select on table public.own_object_texts to foyer_app;

create view public.tasks_find as
 SELECT user_id,
    id,
    created_at,
    updated_at,
    version,
    title,
    description,
    status,
    priority,
    due_date,
    completed_at,
    contact_id,
    deal_id,
    priority_rank,
    search
   FROM public.tasks
  WHERE (user_id = app.owner());
grant select on table public.tasks_find to foyer_app;

CREATE OR REPLACE FUNCTION app.add_record_use(owners uuid[], added bigint[])
 RETURNS TABLE(owner uuid, bytes bigint)
 LANGUAGE sql
 SET search_path TO 'public', 'pg_temp'
AS $function$
  insert into record_use as r (user_id, id, bytes)
  select u.id, u.id, a.bytes from unnest(owners, added) a (owner, bytes) join users u on u.id = a.owner order by u.id
  for key share of u skip locked
  on conflict (user_id, id) do update set bytes = r.bytes + excluded.bytes
  returning r.user_id, r.bytes $function$;

CREATE OR REPLACE FUNCTION app.add_upload(upload jsonb, quota bigint, max_open integer)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  added uploads;
  open_count bigint;
  open_bytes numeric;
begin
  perform pg_advisory_xact_lock(hashtextextended('uploads ' || app.owner()::text, 0));
  added := jsonb_populate_record(null::uploads, upload || jsonb_build_object('user_id', app.owner(), 'created_at', now()));
  if exists (select from uploads where user_id = app.owner() and id = added.id) then return 'exists'; end if;
  select count(*), coalesce(sum(file_size), 0) into open_count, open_bytes from uploads where user_id = app.owner() and file_id is null;
  if open_count >= max_open then return 'too many'; end if;
  if coalesce((select stored_bytes from storage_use where user_id = app.owner()), 0) + open_bytes + added.file_size > quota then return 'no space'; end if;
  insert into uploads select added.*;
  return 'added';
end $function$;
grant execute on function app.add_upload(jsonb,bigint,integer) to foyer_app;

CREATE OR REPLACE FUNCTION app.api_key_by_hash(hash text, at timestamp with time zone)
 RETURNS TABLE(id uuid, user_id uuid, scopes text[], last_used_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select k.id, k.user_id, k.scopes, k.last_used_at from api_keys k
  where k.key_hash = hash and k.is_active and (k.expires_at is null or k.expires_at > at) $function$;
grant execute on function app.api_key_by_hash(text,timestamp with time zone) to foyer_app;

CREATE OR REPLACE FUNCTION app.ask_for_phone_keys()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform jobs.enqueue('phone keys', '{}', 'country', null);
  perform jobs.enqueue('phone keys', '{}', 'country again', now() + interval '5 minutes');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION app.attach_journal(owned regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  generated text := (select coalesce(string_agg(', ' || quote_literal(attname), '' order by attnum), '')
    from pg_attribute where attrelid = owned and attgenerated <> '' and not attisdropped);
  kind text;
  condition text;
  operation text;
  tables text;
begin
  for kind, condition in values
    ('direct', $w$current_user = 'foyer_app'$w$),
    ('cascade', $w$current_user <> 'foyer_app' and session_user = 'foyer_app'$w$)
  loop
    for operation, tables in values
      ('insert', 'new table as new_rows'),
      ('update', 'old table as old_rows new table as new_rows'),
      ('delete', 'old table as old_rows')
    loop
      execute format(
        'create or replace trigger journal_%1$s_%2$s after %1$s on %3$s referencing %4$s for each statement when (%5$s) execute function app.write_journal(%2$L%6$s)',
        operation, kind, owned, tables, condition, generated);
    end loop;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION app.attach_touch(owned regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  name text := 'touch_' || (select relname from pg_class where oid = owned);
  old_row text;
  new_row text;
begin
  select string_agg(format('old.%I', attname), ', ' order by attnum), string_agg(format('new.%I', attname), ', ' order by attnum)
    into old_row, new_row
  from pg_attribute where attrelid = owned and attnum > 0 and attgenerated = '' and not attisdropped;
  execute format('create or replace function app.%I() returns trigger language plpgsql as %L', name, format($f$
begin
  if (%s) is distinct from (%s) then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $f$, old_row, new_row));
  execute format('create or replace trigger touch before update on %s for each row execute function app.%I()', owned, name);
end $function$;

CREATE OR REPLACE FUNCTION app.attempt(statement text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  execute statement;
  return true;
exception when unique_violation or exclusion_violation then
  return false;
end $function$;
grant execute on function app.attempt(text) to foyer_app;

CREATE OR REPLACE FUNCTION app.booking_link_by_slug(link_slug text)
 RETURNS TABLE(owner uuid, id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT l.user_id,
     l.id
    FROM public.booking_links l
   WHERE (l.slug = booking_link_by_slug.link_slug);
END;
grant execute on function app.booking_link_by_slug(text) to foyer_app;

CREATE OR REPLACE FUNCTION app.booking_link_owner(link_id uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
RETURN (SELECT l.user_id FROM public.booking_links l WHERE (l.id = booking_link_owner.link_id) LIMIT 1);
grant execute on function app.booking_link_owner(uuid) to foyer_app;

CREATE OR REPLACE FUNCTION app.bookings_of_others(ids uuid[])
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT b.id
    FROM public.bookings b
   WHERE ((b.id = ANY (bookings_of_others.ids)) AND (b.user_id <> app.owner()));
END;
grant execute on function app.bookings_of_others(uuid[]) to foyer_app;

CREATE OR REPLACE FUNCTION app.busy_range(starts_at timestamp with time zone, ends_at timestamp with time zone, minutes_before integer, minutes_after integer)
 RETURNS tstzrange
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (ends_at < starts_at) THEN 'empty'::tstzrange ELSE tstzrange((starts_at - make_interval(mins => minutes_before)), (ends_at + make_interval(mins => minutes_after))) END;
grant execute on function app.busy_range(timestamp with time zone,timestamp with time zone,integer,integer) to foyer_app;

CREATE OR REPLACE FUNCTION app.check_folder_tree()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
declare
  me uuid;
  changed uuid[];
  -- where the moved folders were
  former_ids uuid[];
  former_parents uuid[];
  -- the tree: the changed folders, and all folders above and below them
  ids uuid[];
  parents uuid[];
  reached bigint;
  deepest int;
begin
  if tg_op = 'INSERT' then
    select array_agg(n.id) into changed from new_rows n;
  else
    select array_agg(n.id) into changed
    from (select id, parent_folder_id from new_rows except select id, parent_folder_id from old_rows) n;
    select array_agg(o.id), array_agg(o.parent_folder_id) into former_ids, former_parents
    from (select id, parent_folder_id from old_rows except select id, parent_folder_id from new_rows) o;
  end if;
  if changed is null then return null; end if;
  select user_id into me from new_rows limit 1;
  perform pg_advisory_xact_lock(hashtextextended('folders ' || me::text, 0));

  -- the subqueries look up rows by a key, while a join might read all folders
  with recursive above as (
    select unnest(changed || former_parents) as id
    union
    select (select f.parent_folder_id from folders f where f.user_id = me and f.id = above.id) from above where above.id is not null
  ), below as (
    select unnest(changed) as id
    union
    select f.id from below cross join lateral
      (select id from folders where user_id = me and parent_folder_id = below.id offset 0) f
  ), tree as (
    select id from above union select id from below
  )
  select array_agg(f.id), array_agg(f.parent_folder_id) into ids, parents
  from tree cross join lateral (select * from folders where user_id = me and id = tree.id offset 0) f;

  select count(*), max(l.level) into reached, deepest from app.read_folder_levels(ids, parents) l;
  if reached < cardinality(ids) then
    raise exception using errcode = 'check_violation', constraint = 'folders_cycle', message = 'A folder is inside itself';
  end if;
  if deepest > app.max_folder_depth() and app.is_any_folder_too_deep(me, changed, former_ids, former_parents, ids, parents) then
    raise exception using errcode = 'check_violation', constraint = 'folders_depth', message = 'Too many folders are inside each other',
      hint = format('There would be more than %s folders inside each other. Move the folder around them to a higher place first.', app.max_folder_depth());
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION app.claim_id(claimed uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('id ' || app.owner()::text || claimed::text, 0));
  if exists (select from journal where row_id = claimed and user_id = app.owner()) then
    raise exception using errcode = 'unique_violation', constraint = 'claimed_id', message = 'This id is taken';
  end if;
end $function$;
grant execute on function app.claim_id(uuid) to foyer_app;

CREATE OR REPLACE FUNCTION app.close_group(closed uuid, better_label text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update change_groups set finished_at = now() where user_id = app.owner() and id = closed and finished_at is null;
  update changesets set label = better_label where user_id = app.owner() and id = closed and better_label is not null;
  select app.count_skipped_rows(closed) $function$;
grant execute on function app.close_group(uuid,text) to foyer_app;

CREATE OR REPLACE FUNCTION app.collect_words(object uuid)
 RETURNS tsvector
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return (select coalesce(array_to_tsvector(array_agg(word)), '') from (
    select word, sum(octet_length(word) + 8) over (order by first_part, word) as bytes from (
      select left(word, 60) as word, min(number) as first_part
      from object_text_parts, string_to_table(words, ' ') word
      where user_id = app.owner() and object_id = object and word <> '' group by 1
    ) words
  ) counted where bytes < 1000000);
end $function$;
grant execute on function app.collect_words(uuid) to foyer_app;

CREATE OR REPLACE FUNCTION app.complete_task()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.completed_at := case when new.status = 'completed' then coalesce(new.completed_at, now()) end;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION app.correct_record_use(only_owner uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'public', 'pg_temp'
AS $function$
  insert into record_use (user_id, id, bytes)
  select u.id, u.id, coalesce(sum(m.bytes), 0) from users u left join app.measure_records(only_owner) m on m.owner = u.id
  where only_owner is null or u.id = only_owner group by u.id order by u.id
  on conflict (user_id, id) do update set bytes = excluded.bytes where record_use.bytes <> excluded.bytes $function$;

CREATE OR REPLACE FUNCTION app.count_attempt(attempt bytea, seconds integer, at timestamp with time zone)
 RETURNS TABLE(count integer, resets_at timestamp with time zone)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  insert into attempts as a (key, count, resets_at) values (attempt, 1, at + make_interval(secs => seconds))
  on conflict (key) do update set
    count = case when a.resets_at <= at then 1 else a.count + 1 end,
    resets_at = case when a.resets_at <= at then excluded.resets_at else a.resets_at end
  returning a.count, a.resets_at $function$;
grant execute on function app.count_attempt(bytea,integer,timestamp with time zone) to foyer_app;

CREATE OR REPLACE FUNCTION app.count_attempts(attempts bytea[], seconds integer[], limits integer[], at timestamp with time zone)
 RETURNS TABLE(place integer, resets_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  counted record;
begin
  for number in 1 .. cardinality(attempts) loop
    select c.count, c.resets_at into counted from app.count_attempt(attempts[number], seconds[number], at) c;
    if counted.count > limits[number] then
      return query select number, counted.resets_at;
      return;
    end if;
  end loop;
end $function$;
grant execute on function app.count_attempts(bytea[],integer[],integer[],timestamp with time zone) to foyer_app;

CREATE OR REPLACE FUNCTION app.count_dependents(record_table text, record_ids uuid[], max_count integer)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  link record;
  found_ids uuid[];
  total int := 0;
begin
  for link in
    select child, column_name, cascades from app.journal_links where parent = record_table and (cascades or not required)
  loop
    execute format('select array_agg(id) from (select id from %I where user_id = $1 and %I = any ($2) limit $3) dependents', link.child,
      link.column_name) into found_ids using app.owner(), record_ids, max_count - total + 1;
    continue when found_ids is null;
    total := total + cardinality(found_ids);
    if link.cascades and total <= max_count then
      total := total + app.count_dependents(link.child, found_ids, max_count - total);
    end if;
    exit when total > max_count;
  end loop;
  return total;
end $function$;
grant execute on function app.count_dependents(text,uuid[],integer) to foyer_app;

CREATE OR REPLACE FUNCTION app.count_erased_lines()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform app.count_written(-coalesce((
    select sum(coalesce(pg_column_size(o.before), 0) + coalesce(pg_column_size(o.after), 0) + app.line_bytes())::bigint
    from old_rows o where o.user_id = app.owner()), 0), false);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION app.count_rows()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  added bigint := 0;
  removed bigint := 0;
  written bigint;
begin
  if app.owner() is null then return null; end if;
  if tg_op <> 'DELETE' then select coalesce(sum(pg_column_size(r.*)), 0) into added from new_rows r where r.user_id = app.owner(); end if;
  if tg_op <> 'INSERT' then select coalesce(sum(pg_column_size(r.*)), 0) into removed from old_rows r where r.user_id = app.owner(); end if;
  written := app.count_written(added - removed, tg_op = 'INSERT' and tg_argv[0] is distinct from 'unlimited');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION app.count_skipped_rows(counted uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update changesets c set skipped_counts = (
    select coalesce(jsonb_object_agg(why, count), '{}')
    from (select why, count(*) from skipped_rows where user_id = app.owner() and change_id = counted group by why) by_reason
  )
  where id = counted and user_id = app.owner() $function$;
grant execute on function app.count_skipped_rows(uuid) to foyer_app;

CREATE OR REPLACE FUNCTION app.count_stored_bytes()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into storage_use (user_id, id, stored_bytes)
    select user_id, user_id, sum(file_size) from changed_rows group by user_id order by user_id
    on conflict (user_id, id) do update set stored_bytes = storage_use.stored_bytes + excluded.stored_bytes;
  else
    perform from storage_use where user_id in (select user_id from changed_rows) order by user_id for update;
    update storage_use u set stored_bytes = stored_bytes - c.bytes
    from (select user_id, sum(file_size) as bytes from changed_rows group by user_id) c where u.user_id = c.user_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION app.count_written(added bigint, is_limited boolean)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  space text := coalesce(current_setting('app.space', true), '');
  written bigint := coalesce(nullif(current_setting('app.written_bytes', true), ''), '0')::bigint + added;
  quota bigint;
  space_left bigint;
begin
  if is_limited then
    if space = 'full' then raise exception using errcode = 'FY002', message = 'The disk is full'; end if;
    if space = '' or space = 'low' then
      if space = 'low' and current_setting('app.is_undo', true) = 'on' then raise exception using errcode = 'FY003', message = 'The disk is nearly full'; end if;
      quota := nullif(current_setting('app.record_quota', true), '')::bigint;
      space_left := quota - coalesce((select u.bytes from public.record_use u where u.user_id = app.owner()), 0);
    else
      space_left := space::bigint;
    end if;
    if written > space_left then
      quota := current_setting('app.record_quota')::bigint;
      if written > space_left + quota / 10 or current_setting('app.is_undo', true) is distinct from 'on' then
        raise exception using errcode = 'FY001', message = 'The records and their history need too much space';
      end if;
    end if;
  end if;
  return set_config('app.written_bytes', written::text, true)::bigint;
end $function$;

CREATE OR REPLACE FUNCTION app.current_change()
 RETURNS uuid
 LANGUAGE sql
 STABLE
AS $function$
  select nullif(current_setting('app.change', true), '')::uuid $function$;
grant execute on function app.current_change() to foyer_app;

CREATE OR REPLACE FUNCTION app.delete_account()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  me uuid := app.owner();
begin
  insert into app.erasing (user_id) values (me);
  delete from users where id = me;
  delete from journal j using changesets c where c.user_id = me and j.change = c.id;
  delete from changesets where user_id = me;
  insert into app.journal_erasures (user_id) values (me);
  delete from app.erasing where user_id = me;
end $function$;
grant execute on function app.delete_account() to foyer_app;

CREATE OR REPLACE FUNCTION app.delete_bytes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'jobs', 'pg_temp'
AS $function$
begin
  insert into jobs (owner, type, payload, outlives_account)
  select user_id, 'delete stored bytes', jsonb_build_object('objects', jsonb_agg(object)), true
  from (
    select user_id, row_number() over () / 500 as batch,
      jsonb_build_object('storage_path', r ->> 'storage_path', 'storage_upload_id', r ->> 'storage_upload_id') as object
    from (select user_id, to_jsonb(o) as r from old_rows o where storage_path is not null) deleted
  ) objects
  group by user_id, batch;
  if found then perform pg_notify('jobs', ''); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION app.detach_dependents(record_table text, record_ids uuid[], max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  me uuid := app.owner();
  link record;
  found_ids uuid[];
  detached int;
begin
  for link in
    select child, column_name, cascades from app.journal_links where parent = record_table and (cascades or not required)
    order by child, column_name
  loop
    execute format('select array_agg(id) from (select id from %I where user_id = $1 and %I = any ($2) limit $3) dependents', link.child,
      link.column_name) into found_ids using me, record_ids, max_rows;
    continue when found_ids is null;
    if link.cascades then
      detached := app.detach_dependents(link.child, found_ids, max_rows);
      if detached > 0 then return detached; end if;
    end if;
    -- the rows are locked in the order of their ids, which prevents deadlocks
    execute format('select count(*) from (select from %I where user_id = $1 and id = any ($2) order by id for update) locked', link.child)
      using me, found_ids;
    execute format(case when link.cascades then 'delete from %1$I where user_id = $1 and %2$I = any ($2) and id = any ($3)'
      else 'update %1$I set %2$I = null where user_id = $1 and %2$I = any ($2) and id = any ($3)' end, link.child, link.column_name)
      using me, record_ids, found_ids;
    get diagnostics detached = row_count;
    -- a tree deletes its lowest rows first; alone in their statement, the journal takes them for records that were deleted themselves
    if link.child = record_table then
      update journal set cascade = true where change = app.current_change() and not cascade;
    end if;
    -- another transaction may have moved all of them in the meantime
    if detached > 0 then return detached; end if;
    return app.detach_dependents(record_table, record_ids, max_rows);
  end loop;
  return 0;
end $function$;
grant execute on function app.detach_dependents(text,uuid[],integer) to foyer_app;

CREATE OR REPLACE FUNCTION app.digits(text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin
  return regexp_replace($1, '\D', '', 'g');
end $function$;
grant execute on function app.digits(text) to foyer_app;

CREATE OR REPLACE FUNCTION app.empty_trash()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  me uuid := app.owner();
  erased int;
begin
  with dead as materialized (
    select distinct j.table_name, j.row_id
    from journal j
    where j.user_id = me and j.operation = 'D' and j.change >= app.uuid_floor(now() - app.undo_window())
      and not exists (select from journal later where later.user_id = me and later.row_id = j.row_id
        and later.table_name = j.table_name and later.operation = 'I' and later.step > j.step)
  ), gone as (
    delete from journal j using dead where j.user_id = me and j.row_id = dead.row_id and j.table_name = dead.table_name
  ), noted as (
    insert into app.journal_erasures select me, row_id from dead
  )
  select count(*) into erased from dead;
  if erased > 0 then
    perform app.open_change();
    insert into unjournaled_writes (user_id, table_name) values (me, 'journal');
  end if;
  return erased;
end $function$;
grant execute on function app.empty_trash() to foyer_app;

CREATE OR REPLACE FUNCTION app.enqueue_due_calendars(due_at timestamp with time zone, job_type text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  due record;
begin
  for due in
    select s.user_id, s.id from other_calendar_sources s join users u on u.id = s.user_id
    where s.next_read_at <= due_at and exists (select from other_calendars c where c.user_id = s.user_id and c.id = s.id)
      and not exists (select from jobs.jobs j where j.owner = s.user_id and j.type = job_type and j.key = s.id::text and j.failed_at is null)
    order by s.next_read_at limit 1000 for key share of u skip locked
  loop
    perform set_config('app.owner', due.user_id::text, true);
    perform jobs.enqueue(job_type, jsonb_build_object('calendar', due.id), due.id::text, null, false);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION app.erase_history(until uuid, after_change uuid, max_changes integer)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  me uuid := app.owner();
  last_day uuid := app.uuid_floor(now() - interval '1 day');
  erased uuid[];
begin
  erased := array(
    select found.id from (
      (select c.id from changesets c where c.user_id = me and c.group_id is null and c.id > after_change and c.id < until order by c.id limit max_changes)
      union all
      (select c.id from changesets c where c.user_id = me and c.group_id is not null and c.id > after_change and c.id < until order by c.id limit max_changes)
    ) found order by found.id limit max_changes);
  update journal j set before = null, after = null, columns = coalesce(j.columns, array(select jsonb_object_keys(j.after)))
    where j.change = any (erased) and j.operation = 'U' and j.change >= last_day;
  delete from journal j where j.change = any (erased) and not (j.operation = 'U' and j.change >= last_day);
  insert into app.journal_erasures (user_id) values (me); -- a purge may be copying a partition
  perform set_config('app.written_bytes', '0', true); -- app.finish_erasing_history measures what is left
  return erased[cardinality(erased)];
end $function$;
grant execute on function app.erase_history(uuid,uuid,integer) to foyer_app;

CREATE OR REPLACE FUNCTION app.erase_row(record_table text, record_id uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  me uuid := app.owner();
  -- the links of deleted rows to the rows with which they are deleted
  child_tables text[];
  child_ids uuid[];
  parent_tables text[];
  parent_ids uuid[];
  -- the erased rows
  tables text[] := array[record_table];
  ids uuid[] := array[record_id];
begin
  if not exists (select from app.journaled_tables where name = record_table) then return 0; end if;
  execute format('delete from %I where user_id = $1 and id = $2', record_table) using me, record_id;
  if not exists (select from journal where user_id = me and table_name = record_table and row_id = record_id) then return 0; end if;
  -- the deleted rows are read only for a record that can have children
  if exists (select from app.journal_links where cascades and parent = record_table) then
    -- by now its children are deleted too, and the last image of each row names its parents
    with cascading as materialized (
      select child, parent, column_name from app.journal_links where cascades
    ), dead as materialized (
      select j.table_name, j.row_id, j.before from journal j
      where j.user_id = me and j.operation = 'D' and j.change >= app.uuid_floor(now() - app.undo_window())
        and not exists (select from journal later where later.user_id = me and later.row_id = j.row_id
          and later.table_name = j.table_name and later.operation = 'I' and later.step > j.step)
    )
    select array_agg(d.table_name), array_agg(d.row_id), array_agg(c.parent), array_agg((d.before ->> c.column_name)::uuid)
      into child_tables, child_ids, parent_tables, parent_ids
    from dead d join cascading c on c.child = d.table_name where d.before ->> c.column_name is not null;
    select array_agg(f.table_name), array_agg(f.row_id) into tables, ids
    from app.follow_links(record_table, record_id, child_tables, child_ids, parent_tables, parent_ids) f;
  end if;
  delete from journal j using unnest(tables, ids) gone (table_name, row_id)
    where j.user_id = me and j.row_id = any (ids) -- reads these rows only, also if a merge join is chosen
      and j.row_id = gone.row_id and j.table_name = gone.table_name;
  insert into app.journal_erasures select me, unnest(ids);
  perform app.open_change();
  insert into unjournaled_writes (user_id, table_name) values (me, 'journal');
  return cardinality(ids);
end $function$;
grant execute on function app.erase_row(text,uuid) to foyer_app;

CREATE OR REPLACE FUNCTION app.find_folders_placed_since(owner uuid, ids uuid[], parents uuid[])
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with undone as materialized (
    select min(j.step) as step from changesets c join journal j on j.change = coalesce(c.undo_of, c.restore_of)
    where c.user_id = owner and c.id = app.current_change()
  )
  select f.id from undone cross join unnest(ids, parents) f (id, parent) left join lateral (
    select j.operation, j.before ->> 'parent_folder_id' as parent from journal j
    where j.user_id = owner and j.table_name = 'folders' and j.row_id = f.id and j.step >= undone.step
      and (j.operation <> 'U' or j.before ? 'parent_folder_id')
    order by j.step, j.line limit 1
  ) earlier on true
  where undone.step is null or earlier.operation = 'I' or (earlier.operation is not null and earlier.parent::uuid is distinct from f.parent) $function$;

CREATE OR REPLACE FUNCTION app.finish_erasing_history(until uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform app.open_change();
  perform app.correct_record_use(app.owner());
  update record_use set erased_before = until where user_id = app.owner();
  insert into unjournaled_writes (user_id, table_name) values (app.owner(), 'journal');
end $function$;
grant execute on function app.finish_erasing_history(uuid) to foyer_app;

CREATE OR REPLACE FUNCTION app.fold(text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin
  return lower(public.unaccent('public.unaccent'::regdictionary, $1));
end $function$;
grant execute on function app.fold(text) to foyer_app;

CREATE OR REPLACE FUNCTION app.fold_all(text[])
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin
  if cardinality($1) = 0 then return '{}'; end if;
  return array(select app.fold(tag) from unnest($1) tag);
end $function$;
grant execute on function app.fold_all(text[]) to foyer_app;

CREATE OR REPLACE FUNCTION app.follow_links(top_table text, top_id uuid, child_tables text[], child_ids uuid[], parent_tables text[], parent_ids uuid[], OUT table_name text, OUT row_id uuid)
 RETURNS SETOF record
 LANGUAGE sql
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
  with recursive links as materialized (
    select * from unnest(child_tables, child_ids, parent_tables, parent_ids) l (child_table, child_id, parent_table, parent_id)
  ), found as (
    select top_table as table_name, top_id as row_id
    union
    select l.child_table, l.child_id from found f join links l on l.parent_table = f.table_name and l.parent_id = f.row_id
  )
  select f.table_name, f.row_id from found f $function$;

CREATE OR REPLACE FUNCTION app.give_back_attempt(attempt bytea)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update attempts set count = count - 1 where key = attempt and count > 0 $function$;
grant execute on function app.give_back_attempt(bytea) to foyer_app;

CREATE OR REPLACE FUNCTION app.has_later_member(earlier uuid, groups uuid[])
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  with recursive later as (
    select c.id, c.group_id from public.changesets c where c.undo_of = earlier
    union all
    select c.id, c.group_id from later l join public.changesets c on c.undo_of = l.id
  )
  select exists (select from later where group_id = any (groups)) $function$;
grant execute on function app.has_later_member(uuid,uuid[]) to foyer_app;

CREATE OR REPLACE FUNCTION app.image_now(change uuid, image_table text, image jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  moved record;
begin
  for moved in
    select * from app.column_changes c where c.table_name = image_table and change < app.uuid_floor(c.at) order by c.at
  loop
    if moved.default_value is not null then
      image := jsonb_build_object(moved.column_name, moved.default_value) || image;
    elsif image ? moved.column_name then
      image := (image - moved.column_name)
        || case when moved.new_name is null then '{}' else jsonb_build_object(moved.new_name, image -> moved.column_name) end;
    end if;
  end loop;
  return image;
end $function$;
grant execute on function app.image_now(uuid,text,jsonb) to foyer_app;

CREATE OR REPLACE FUNCTION app.index_words(text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin
  return regexp_replace(' ' || translate(app.fold($1), 'ς', 'σ') || ' ' || app.respelled($1) || ' ', '[^[:alnum:]]+', ' ', 'g');
end $function$;
grant execute on function app.index_words(text) to foyer_app;

CREATE OR REPLACE FUNCTION app.insert_change(label text, undo_of uuid DEFAULT NULL::uuid, undo_depth integer DEFAULT 0, restore_of uuid DEFAULT NULL::uuid)
 RETURNS uuid
 LANGUAGE plpgsql
AS $function$
declare
  inserted uuid;
begin
  insert into public.changesets (user_id, actor, label, undo_of, undo_depth, restore_of, request_key, request_hash)
  values (app.owner(), current_setting('app.actor'), coalesce(insert_change.label, ''), insert_change.undo_of, insert_change.undo_depth,
    insert_change.restore_of, nullif(current_setting('app.request_key', true), ''), nullif(current_setting('app.request_hash', true), ''))
  returning id into inserted;
  perform set_config('app.change', inserted::text, true);
  return inserted;
end $function$;

CREATE OR REPLACE FUNCTION app.is_any_folder_too_deep(owner uuid, changed uuid[], former_ids uuid[], former_parents uuid[], ids uuid[], parents uuid[])
 RETURNS boolean
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
declare
  earlier_ids uuid[];
  earlier_parents uuid[];
  -- the folders that an undo brings back; without a folder above them they have a smaller level
  returned_ids uuid[];
  returned_parents uuid[];
begin
  select array_agg(f.id), array_agg(f.parent) into earlier_ids, earlier_parents
  from (
    select * from unnest(former_ids, former_parents) former (id, parent)
    union all
    select * from unnest(ids, parents) f (id, parent) where f.id not in (select unnest(changed))
  ) f;
  select array_agg(f.id), array_agg(f.parent) into returned_ids, returned_parents
  from unnest(ids, parents) f (id, parent) where f.id not in (select app.find_folders_placed_since(owner, ids, parents));
  return exists (
    select from app.read_folder_levels(ids, parents) l
    left join app.read_folder_levels(earlier_ids, earlier_parents) earlier on earlier.id = l.id
    left join app.read_folder_levels(returned_ids, returned_parents) returned on returned.id = l.id
    where l.level > app.max_folder_depth() and l.level > coalesce(greatest(earlier.level, returned.level), 0)
  );
end $function$;

CREATE OR REPLACE FUNCTION app.is_slot_taken(slot_id bigint, max_taken integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (SELECT (count(*) < is_slot_taken.max_taken) FROM (app.slots own JOIN app.slots s ON (((s.name = own.name) AND (s.id < own.id)))) WHERE ((own.id = is_slot_taken.slot_id) AND ((s.process)::oid = ANY ((SELECT app.living_processes() AS living_processes)::oid[]))));

CREATE OR REPLACE FUNCTION app.join_group(joined uuid, steps integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  own_change uuid := app.current_change();
begin
  update change_groups g set done = g.done + steps,
    row_count = g.row_count + (select count(*) from journal j where j.change = own_change and not j.cascade)
  where g.user_id = app.owner() and g.id = joined and g.finished_at is null;
  if not found then return false; end if;
  update changesets set group_id = joined where id = own_change;
  return true;
end $function$;
grant execute on function app.join_group(uuid,integer) to foyer_app;

CREATE OR REPLACE FUNCTION app.keep_tags_once()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.tags := app.once_each(new.tags);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION app.lead_form_by_slug(wanted text)
 RETURNS TABLE(owner uuid, id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select f.user_id, f.id from lead_forms f where f.slug = lower(wanted) $function$;
grant execute on function app.lead_form_by_slug(text) to foyer_app;

CREATE OR REPLACE FUNCTION app.lead_form_owner(wanted uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select f.user_id from lead_forms f where f.id = wanted $function$;
grant execute on function app.lead_form_owner(uuid) to foyer_app;

CREATE OR REPLACE FUNCTION app.like_part(text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN regexp_replace(app.fold($1), '[\\%_]'::text, '\\\&'::text, 'g'::text);
grant execute on function app.like_part(text) to foyer_app;

CREATE OR REPLACE FUNCTION app.line_bytes()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN 250;

CREATE OR REPLACE FUNCTION app.living_processes()
 RETURNS oid[]
 LANGUAGE sql
 STABLE
RETURN ARRAY(SELECT l.objid FROM pg_locks l WHERE ((l.locktype = 'advisory'::text) AND (l.classid = (7001)::oid) AND (l.objsubid = 2) AND l.granted AND (l.database = (SELECT d.oid FROM pg_database d WHERE (d.datname = current_database())))));

CREATE OR REPLACE FUNCTION app.make_journal_partitions()
 RETURNS void
 LANGUAGE plpgsql
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  month timestamptz := date_trunc('month', now());
  low uuid;
  high uuid;
begin
  perform pg_advisory_xact_lock(hashtext('journal partitions'));
  for ahead in 0..3 loop
    low := app.uuid_floor(month);
    high := app.uuid_floor(month + interval '1 month');
    if to_regclass('public.journal_' || to_char(month, 'YYYYMM')) is null
      and not exists (select from public.journal_default where change >= low and change < high) then
      execute format('create table public.journal_%s partition of public.journal for values from (%L) to (%L)', to_char(month, 'YYYYMM'), low, high);
    end if;
    month := month + interval '1 month';
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION app.max_folder_depth()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN 100;
grant execute on function app.max_folder_depth() to foyer_app;

CREATE OR REPLACE FUNCTION app.measure_records(only_owner uuid)
 RETURNS TABLE(owner uuid, bytes bigint)
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  measured record;
begin
  for measured in
    select t.name, string_agg(format('coalesce(pg_column_size(r.%I), 0)', a.attname), ' + ' order by a.attnum) as row_bytes
    from (
      select j.oid, j.name from app.journaled_tables j
      union select g.tgrelid, g.tgrelid::regclass::name from pg_trigger g where g.tgfoid = 'app.count_rows'::regproc
    ) t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped group by t.name
  loop
    return query execute format('select r.user_id, sum(%s)::bigint from public.%I r %s group by r.user_id', measured.row_bytes, measured.name,
      case when only_owner is not null then 'where r.user_id = $1' end) using only_owner;
  end loop;
  if only_owner is null then
    return query select j.user_id, sum(coalesce(pg_column_size(j.before), 0) + coalesce(pg_column_size(j.after), 0) + app.line_bytes())::bigint
      from public.journal j group by j.user_id;
  else
    return query select j.user_id, sum(coalesce(pg_column_size(j.before), 0) + coalesce(pg_column_size(j.after), 0) + app.line_bytes())::bigint
      from public.changesets c join public.journal j on j.change = c.id where c.user_id = only_owner group by j.user_id;
  end if;
end $function$;

create aggregate app.merge_images(jsonb) (sfunc = jsonb_concat, stype = jsonb, initcond = '{}');
grant execute on function app.merge_images(jsonb) to foyer_app;

CREATE OR REPLACE FUNCTION app.misspellings(word text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ARRAY(SELECT misspellings.word AS word UNION SELECT OVERLAY(misspellings.word PLACING ''::text FROM place.place FOR 1) AS "overlay" FROM generate_series(1, length(misspellings.word)) place(place) UNION SELECT OVERLAY(misspellings.word PLACING reverse(substr(misspellings.word, place.place, 2)) FROM place.place FOR 2) AS "overlay" FROM generate_series(1, (length(misspellings.word) - 1)) place(place) UNION SELECT OVERLAY(misspellings.word PLACING letter.letter FROM place.place FOR width.width) AS "overlay" FROM generate_series(1, (length(misspellings.word) + 1)) place(place), generate_series(0, 1) width(width), regexp_split_to_table(CASE WHEN (misspellings.word ~ '[а-я]'::text) THEN 'абвгдежзиклмнопрстуфхцчшщъыьэюя'::text WHEN (misspellings.word ~ '[α-ω]'::text) THEN 'αβγδεζηθικλμνξοπρστυφχψω'::text ELSE 'abcdefghijklmnopqrstuvwxyz'::text END, ''::text) letter(letter));
grant execute on function app.misspellings(text) to foyer_app;

CREATE OR REPLACE FUNCTION app.move_links(record_table regclass, from_id uuid, to_id uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  me uuid := app.owner();
  link record;
  row_id uuid;
  moved int;
  total int := 0;
begin
  set constraints all immediate; -- a violation must be noticed here, also of a constraint that is checked at the end of the transaction
  for link in
    select k.conrelid::regclass::text as child, a.attname as column_name
    from pg_constraint k
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey) and a.attname <> 'user_id'
    where k.contype = 'f' and k.confrelid = record_table order by 1, 2
  loop
    -- the rows are locked in the order of their ids, which prevents deadlocks
    execute format('select count(*) from (select from %s where user_id = $1 and %I = $2 order by id for no key update) locked', link.child,
      link.column_name) using me, from_id;
    begin
      execute format('update %1$s set %2$I = $3 where user_id = $1 and %2$I = $2', link.child, link.column_name) using me, from_id, to_id;
      get diagnostics moved = row_count;
      total := total + moved;
    exception when unique_violation or check_violation or exclusion_violation then
      for row_id in execute format('select id from %1$s where user_id = $1 and %2$I = $2 order by id', link.child, link.column_name)
        using me, from_id
      loop
        begin
          execute format('update %1$s set %2$I = $3 where user_id = $1 and id = $2', link.child, link.column_name) using me, row_id, to_id;
          total := total + 1;
        exception when unique_violation or check_violation or exclusion_violation then
          continue; -- the row goes with the record to which it belongs
        end;
      end loop;
    end;
  end loop;
  return total;
end $function$;
grant execute on function app.move_links(regclass,uuid,uuid) to foyer_app;

CREATE OR REPLACE FUNCTION app.note_booking_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION app.note_waited_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select from booking_waits w join users u on u.id = w.user_id where w.user_id = app.owner() and w.mailed_at is null) then
    perform jobs.enqueue('booking waits', '{}', 'waits', now() + interval '1 minute');
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION app.note_webhook_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select from webhook_endpoints e where e.user_id = new.user_id and e.is_active) then
    insert into webhook_changes (user_id, change_id) values (new.user_id, new.id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION app.once_each(tags text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ARRAY(SELECT firsts.tag FROM (SELECT DISTINCT ON ((app.fold(given.tag))) given.tag, given.place FROM unnest(once_each.tags) WITH ORDINALITY given(tag, place) ORDER BY (app.fold(given.tag)), given.place) firsts ORDER BY firsts.place);
grant execute on function app.once_each(text[]) to foyer_app;

CREATE OR REPLACE FUNCTION app.open_change()
 RETURNS uuid
 LANGUAGE plpgsql
AS $function$
declare
  open_change uuid := app.current_change();
begin
  if open_change is null then return app.insert_change(current_setting('app.label', true)); end if;
  if not exists (select from public.changesets where id = open_change and user_id = app.owner()) then
    raise exception 'A transaction changes rows of one owner only';
  end if;
  return open_change;
end $function$;

CREATE OR REPLACE FUNCTION app.open_group(total integer, is_delete boolean)
 RETURNS uuid
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  insert into change_groups (user_id, id, total, is_delete)
  values (app.owner(), app.open_change(), open_group.total, open_group.is_delete) returning id $function$;
grant execute on function app.open_group(integer,boolean) to foyer_app;

CREATE OR REPLACE FUNCTION app.open_partial_restore(source uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return app.insert_change(current_setting('app.label', true), restore_of => source);
end $function$;
grant execute on function app.open_partial_restore(uuid) to foyer_app;

CREATE OR REPLACE FUNCTION app.open_restore(target uuid, OUT change uuid, OUT source uuid, OUT refusal text, OUT is_group boolean)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  last journal;
  source_group uuid;
begin
  is_group := false;
  perform pg_advisory_xact_lock(hashtextextended(app.owner()::text || target::text, 0));
  select * into last from journal j where j.user_id = app.owner() and j.row_id = target order by j.step desc, j.line desc limit 1;
  refusal := case
    when last.operation is distinct from 'D' then 'not_found'
    when last.change < app.uuid_floor(now() - app.undo_window()) or last.before is null then 'too_old'
  end;
  if refusal is not null then return; end if;
  source := last.change;
  change := app.insert_change(current_setting('app.label', true), restore_of => source);
  select c.group_id into source_group from changesets c where c.user_id = app.owner() and c.id = source;
  if source_group is null then return; end if;
  -- a redo of a large delete deletes like the delete itself
  with recursive below as (
    select c.id, c.undo_of from changesets c where c.user_id = app.owner() and c.id = source_group
    union all
    select c.id, c.undo_of from below b join changesets c on c.id = b.undo_of
  )
  select g.is_delete into is_group from below b join change_groups g on g.user_id = app.owner() and g.id = b.id where b.undo_of is null;
  is_group := coalesce(is_group, false);
  if not is_group then return; end if;
  insert into change_groups (user_id, id, undone_groups, only_row, total)
    select app.owner(), change, array[source_group], target, count(*) from changesets m
    where m.user_id = app.owner() and m.group_id = source_group;
end $function$;
grant execute on function app.open_restore(uuid) to foyer_app;

CREATE OR REPLACE FUNCTION app.open_undo(target uuid, OUT change uuid, OUT is_group boolean, OUT refusal text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  undone changesets;
  work text;
  broken text;
  groups uuid[];
begin
  select * into undone from changesets c where c.id = target and c.user_id = app.owner();
  refusal := case
    when undone.id is null then 'not_found'
    when undone.at < now() - app.undo_window() then 'too_old'
    when target < (select u.erased_before from record_use u where u.user_id = app.owner()) then 'nothing_left'
    when exists (select from journal j where j.change = target and j.before is null and j.after is null) then 'too_old'
  end;
  if refusal is not null then return; end if;
  with recursive below as (
    select undone.label, undone.undo_of
    union all
    select c.label, c.undo_of from below b join changesets c on c.id = b.undo_of
  )
  select b.label into work from below b where b.undo_of is null;
  change := app.insert_change(case undone.undo_depth % 2 when 0 then 'Undone: ' else 'Redone: ' end || work, target, undone.undo_depth + 1);
  update change_groups g set finished_at = coalesce(g.finished_at, now()) where g.user_id = app.owner() and g.id = target;
  is_group := found;
  if is_group then
    -- while the undo or redo below a group was interrupted, what it should have undone is added
    with recursive undone_group as (
      select target as id, undone.undo_of as below
      union all
      select c.id, c.undo_of from undone_group u
        join change_groups interrupted on interrupted.user_id = app.owner() and interrupted.id = u.below and interrupted.done < interrupted.total
        join changesets i on i.id = interrupted.id
        join changesets c on c.id = i.undo_of
    )
    select array_agg(u.id) into groups from undone_group u;
    insert into change_groups (user_id, id, undone_groups, total)
      select app.owner(), change, groups, count(*) from changesets m where m.user_id = app.owner() and m.group_id = any (groups)
        and (cardinality(groups) = 1 or not app.has_later_member(m.id, groups));
  end if;
exception when unique_violation then
  get stacked diagnostics broken = constraint_name;
  if broken <> 'changesets_undo_of' then raise; end if;
  update changesets c set request_key = coalesce(nullif(current_setting('app.request_key', true), ''), c.request_key),
    request_hash = coalesce(nullif(current_setting('app.request_hash', true), ''), c.request_hash)
  from change_groups g
  where c.user_id = app.owner() and c.undo_of = target and g.user_id = c.user_id and g.id = c.id and g.finished_at is null
    and jobs.has_failed(c.id::text)
  returning c.id into change;
  is_group := change is not null;
  if is_group then
    perform set_config('app.change', change::text, true);
  else
    refusal := 'already_undone';
  end if;
end $function$;
grant execute on function app.open_undo(uuid) to foyer_app;

CREATE OR REPLACE FUNCTION app.owner()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('app.owner'::text, true), ''::text))::uuid;
grant execute on function app.owner() to foyer_app;

CREATE OR REPLACE FUNCTION app.password_reset_by_token(hash bytea, at timestamp with time zone)
 RETURNS TABLE(user_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select r.user_id from password_resets r where r.token_hash = hash and r.expires_at > at $function$;
grant execute on function app.password_reset_by_token(bytea,timestamp with time zone) to foyer_app;

CREATE OR REPLACE FUNCTION app.publish_messages()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (
    select from new_rows n join old_rows o on o.user_id = n.user_id and o.id = n.id
    where (n.state, n.is_replaced, n.proposal_id) is distinct from (o.state, o.is_replaced, o.proposal_id)
  ) then return null; end if;
  insert into unjournaled_writes (user_id, table_name) select distinct user_id, tg_table_name from new_rows;
  return null;
end $function$;
grant execute on function app.publish_messages() to foyer_app;

CREATE OR REPLACE FUNCTION app.publish_writes()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from unjournaled_writes where (user_id, id) in (
    select w.user_id, w.id from unjournaled_writes w
    where w.user_id in (select user_id from new_rows) and w.id < app.uuid_floor(now() - interval '10 minutes')
    for update skip locked
  );
  insert into unjournaled_writes (user_id, table_name) select distinct user_id, tg_table_name from new_rows
  where tg_op <> 'DELETE' or exists (select from users where users.id = new_rows.user_id);
  return null;
end $function$;
grant execute on function app.publish_writes() to foyer_app;

CREATE OR REPLACE FUNCTION app.read_changes_since(earlier pg_snapshot, OUT snapshot text, OUT has_changed boolean)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select pg_current_snapshot()::text, earlier is null or exists (
    select from changesets c
      where c.xid >= pg_snapshot_xmin(earlier) and not pg_visible_in_snapshot(c.xid, earlier) and c.user_id = app.owner()
    union all
    select from unjournaled_writes w
      where w.xid >= pg_snapshot_xmin(earlier) and not pg_visible_in_snapshot(w.xid, earlier) and w.user_id = app.owner()) $function$;
grant execute on function app.read_changes_since(pg_snapshot) to foyer_app;

CREATE OR REPLACE FUNCTION app.read_folder_levels(ids uuid[], parents uuid[], OUT id uuid, OUT level integer)
 RETURNS SETOF record
 LANGUAGE sql
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
  with recursive folder as materialized (
    select * from unnest(ids, parents) f (id, parent)
  ), leveled as (
    select f.id, 1 as level from folder f where f.parent is null or f.parent not in (select f.id from folder f)
    union all
    select f.id, l.level + 1 from leveled l join folder f on f.parent = l.id
  )
  select l.id, l.level from leveled l $function$;

CREATE OR REPLACE FUNCTION app.refuse_circle(edited uuid[], superior uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('superiors ' || app.owner()::text, 0));
  if exists (
    with recursive above as (
      select id, reports_to_id from crm_contacts where user_id = app.owner() and id = superior
      union
      select c.id, c.reports_to_id from above join crm_contacts c on c.user_id = app.owner() and c.id = above.reports_to_id
    )
    select from above where id = any (edited) and id <> superior
  ) then
    raise exception using errcode = 'check_violation', constraint = 'crm_contacts_circle', message = 'A contact reports to itself';
  end if;
end $function$;
grant execute on function app.refuse_circle(uuid[],uuid) to foyer_app;

CREATE OR REPLACE FUNCTION app.refuse_folder_name(edited uuid, fields jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  folder folders;
begin
  perform pg_advisory_xact_lock(hashtextextended('folders ' || app.owner()::text, 0));
  select * into folder from folders where user_id = app.owner() and id = edited;
  folder := jsonb_populate_record(folder, fields);
  if exists (
    select from folders f where f.user_id = app.owner() and f.id is distinct from edited and lower(f.name) = lower(folder.name)
      and (f.parent_folder_id = folder.parent_folder_id or (f.parent_folder_id is null and folder.parent_folder_id is null))
  ) then
    raise exception using errcode = 'unique_violation', constraint = 'folders_equal_name', message = 'The folder has one with this name';
  end if;
end $function$;
grant execute on function app.refuse_folder_name(uuid,jsonb) to foyer_app;

CREATE OR REPLACE FUNCTION app.refuse_folder_names(edited uuid[], fields jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('folders ' || app.owner()::text, 0));
  if exists (
    with after_edit as (
      select f.id, lower(n.name) as key, n.parent_folder_id as parent
      from folders f, jsonb_populate_record(f, fields) n where f.user_id = app.owner() and f.id = any(edited)
    ), others as materialized (
      select lower(f.name) as key, f.parent_folder_id as parent from folders f
      where f.user_id = app.owner() and f.id <> all(edited)
        and (f.parent_folder_id in (select parent from after_edit) or (f.parent_folder_id is null and exists (select from after_edit where parent is null)))
    )
    select from after_edit e join others o on o.key = e.key and o.parent is not distinct from e.parent
    union all
    select from after_edit group by key, parent having count(*) > 1
  ) then
    raise exception using errcode = 'unique_violation', constraint = 'folders_equal_name', message = 'The folder has one with this name';
  end if;
end $function$;
grant execute on function app.refuse_folder_names(uuid[],jsonb) to foyer_app;

CREATE OR REPLACE FUNCTION app.refuse_large_delete(record_table text, record_ids uuid[], max_count integer)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if app.count_dependents(record_table, record_ids, max_count) > max_count then
    raise exception using errcode = 'program_limit_exceeded', constraint = 'large_delete', message = 'Too many rows depend on these records';
  end if;
end $function$;
grant execute on function app.refuse_large_delete(text,uuid[],integer) to foyer_app;

CREATE OR REPLACE FUNCTION app.relabel(text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select set_config('app.label', $1, true);
  update changesets set label = $1 where id = app.current_change() $function$;
grant execute on function app.relabel(text) to foyer_app;

CREATE OR REPLACE FUNCTION app.rename_in_contacts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- waits for contacts that are being linked to the company
  perform from public.companies c where c.user_id = new.user_id and c.id = new.id for update;
  -- locked in the order of their ids, which prevents deadlocks
  perform from public.crm_contacts c where c.user_id = new.user_id and c.company_id = new.id order by c.id for no key update;
  update public.crm_contacts c set company = new.name where c.user_id = new.user_id and c.company_id = new.id and c.company <> new.name;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION app.renew_attempts(attempt bytea, seconds integer, at timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  insert into attempts as a (key, count, resets_at) values (attempt, 1, at + make_interval(secs => seconds))
  on conflict (key) do update set
    count = case when a.resets_at <= at then 1 else a.count + 1 end,
    resets_at = excluded.resets_at
  returning a.count $function$;
grant execute on function app.renew_attempts(bytea,integer,timestamp with time zone) to foyer_app;

CREATE OR REPLACE FUNCTION app.repeat_cascades(undone uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update journal j set cascade = true
  from changesets u join journal original on original.change = u.undo_of
  where u.user_id = app.owner() and u.id = undone and original.cascade and j.change = app.current_change() and not j.cascade
    and j.table_name = original.table_name and j.row_id = original.row_id $function$;
grant execute on function app.repeat_cascades(uuid) to foyer_app;

CREATE OR REPLACE FUNCTION app.require(condition boolean, reason text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_temp'
AS $function$
begin
  if condition is not true then raise exception using errcode = 'FY004', message = reason; end if;
end $function$;
grant execute on function app.require(boolean,text) to foyer_app;

CREATE OR REPLACE FUNCTION app.respelled(text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin
  if $1 !~* '[äöüøå]' then return ''; end if;
  return (select coalesce(string_agg(app.fold(replace(replace(replace(replace(replace(word, 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ø', 'oe'), 'å', 'aa')), ' '), '')
    from regexp_split_to_table(lower($1), '\s+') word where word ~ '[äöüøå]');
end $function$;
grant execute on function app.respelled(text) to foyer_app;

CREATE OR REPLACE FUNCTION app.retag(tags text[], added text[], removed text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ARRAY(SELECT together.tag FROM (SELECT kept.tag, kept.place, 0 AS number FROM unnest(retag.tags) WITH ORDINALITY kept(tag, place) WHERE (app.fold(kept.tag) <> ALL (app.fold_all(retag.removed))) UNION ALL SELECT fresh.tag, COALESCE((array_position(app.fold_all(retag.tags), app.fold(fresh.tag)))::bigint, (cardinality(retag.tags) + fresh.number)) AS "coalesce", fresh.number FROM unnest(retag.added) WITH ORDINALITY fresh(tag, number) WHERE ((app.fold(fresh.tag) <> ALL (app.fold_all(retag.tags))) OR (app.fold(fresh.tag) = ANY (app.fold_all(retag.removed))))) together ORDER BY together.place, together.number);
grant execute on function app.retag(text[],text[],text[]) to foyer_app;

CREATE OR REPLACE FUNCTION app.run_with_hash_joins(statement text, parameter uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
begin
  execute statement using parameter;
end $function$;
grant execute on function app.run_with_hash_joins(text,uuid) to foyer_app;

CREATE OR REPLACE FUNCTION app.session_by_token(hash bytea, at timestamp with time zone)
 RETURNS TABLE(id uuid, user_id uuid, last_seen_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select s.id, s.user_id, s.last_seen_at from sessions s where s.token_hash = hash and s.expires_at > at $function$;
grant execute on function app.session_by_token(bytea,timestamp with time zone) to foyer_app;

CREATE OR REPLACE FUNCTION app.set_actor_name()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  new.actor_name := (select k.name from api_keys k where k.user_id = new.user_id and 'api_key:' || k.id = new.actor);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION app.set_company_name()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  found_name text;
begin
  perform from public.companies c where c.user_id = new.user_id and c.id = new.company_id for key share;
  -- a statement of its own, because the one before does not see a rename that it waited for
  select c.name into found_name from public.companies c where c.user_id = new.user_id and c.id = new.company_id;
  new.company := coalesce(found_name, new.company); -- the foreign key refuses a link to a missing company, unless an undo restores it next
  return new;
end $function$;

CREATE OR REPLACE FUNCTION app.set_up_owned_table(owned_table regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from pg_constraint k where k.conrelid = owned_table and pg_get_constraintdef(k.oid) = 'PRIMARY KEY (user_id, id)') then
    raise exception '% has no primary key (user_id, id)', owned_table;
  end if;
  if not exists (select from pg_constraint k where k.conrelid = owned_table
    and pg_get_constraintdef(k.oid) = 'FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE') then
    raise exception '% is not deleted with its owner', owned_table;
  end if;
  execute format('alter table %s enable row level security', owned_table);
  execute format('create policy own on %s using (user_id = app.owner()) with check (user_id = app.owner())', owned_table);
  execute format('grant select, insert, update, delete on %s to foyer_app', owned_table);
  execute format('comment on table %s is %L', owned_table, 'owned, not journaled');
end $function$;

CREATE OR REPLACE FUNCTION app.set_up_record_table(record_table regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  name text := (select relname from pg_class where oid = record_table);
begin
  -- free space in each page: an update of columns without an index then writes no index
  execute format('alter table %s set (fillfactor = 85)', record_table);
  execute format('alter table %s enable row level security', record_table);
  execute format('create policy own on %s using (user_id = app.owner()) with check (user_id = app.owner())', record_table);
  execute format('grant select, insert, update, delete on %s to foyer_app', record_table);
  perform app.attach_touch(record_table);
  execute format('create index %I on %s (user_id, id desc) include (search)', name || '_newest', record_table);
  execute format('create index %I on %s using gin (user_id, search gin_trgm_ops)', name || '_search', record_table);
  execute format('create index %I on %s using gin (user_id, app.words(search)) with (gin_pending_list_limit = 256)', name || '_words', record_table);
  if exists (select from pg_attribute where attrelid = record_table and attname = 'tags') then
    execute format('create index %I on %s using gin (user_id, tag_keys)', name || '_tags', record_table);
    execute format('create trigger tags before insert or update of tags on %s for each row when (cardinality(new.tags) > 1)
      execute function app.keep_tags_once()', record_table);
  end if;
  perform app.attach_journal(record_table);
  execute format('create view %I as select * from %s where user_id = app.owner()', name || '_find', record_table);
  execute format('grant select on %I to foyer_app', name || '_find');
end $function$;

CREATE OR REPLACE FUNCTION app.take_attempts(attempt bytea, at timestamp with time zone)
 RETURNS TABLE(count integer, resets_at timestamp with time zone)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  delete from attempts a where a.key = attempt and a.resets_at > at returning a.count, a.resets_at $function$;
grant execute on function app.take_attempts(bytea,timestamp with time zone) to foyer_app;

CREATE OR REPLACE FUNCTION app.take_slot(slot_name text, slot_process integer, max_taken integer, waits boolean)
 RETURNS TABLE(id bigint, is_taken boolean)
 LANGUAGE plpgsql
AS $function$
declare
  before bigint;
begin
  perform pg_advisory_xact_lock(7003, hashtext(slot_name));
  delete from app.slots s where s.name = slot_name and s.process::oid <> all ((select app.living_processes())::oid[]);
  select count(*) into before from app.slots s where s.name = slot_name;
  if before >= max_taken and not waits then return; end if;
  return query insert into app.slots as s (name, process) values (slot_name, slot_process) returning s.id, before < max_taken;
end $function$;

CREATE OR REPLACE FUNCTION app.text_query(search text)
 RETURNS tsquery
 LANGUAGE plpgsql
 STABLE STRICT COST 10000
AS $function$
begin
  return (select string_agg(format('(%s)', spellings), '&')::tsquery from (
    select string_agg(quote_literal(left(spelling, 60)) || case when spelling ~ '^[a-z0-9]$' then '' else ':*' end, '|') as spellings
    from regexp_split_to_table(lower(search), '[^[:alnum:]]+') with ordinality typed(word, place),
      string_to_table(trim(app.index_words(word)), ' ') spelling
    where spelling <> '' group by place order by place limit 16
  ) words);
end $function$;
grant execute on function app.text_query(text) to foyer_app;

CREATE OR REPLACE FUNCTION app.touch_booking_links()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.user_id, old.id, old.created_at, old.updated_at, old.version, old.title, old.slug, old.description, old.color, old.duration_minutes, old.step_minutes, old.notice_minutes, old.buffer_before_minutes, old.buffer_after_minutes, old.window_days, old.max_per_day, old.max_per_visitor, old.cutoff_minutes, old.is_active, old.availability, old.questions) is distinct from (new.user_id, new.id, new.created_at, new.updated_at, new.version, new.title, new.slug, new.description, new.color, new.duration_minutes, new.step_minutes, new.notice_minutes, new.buffer_before_minutes, new.buffer_after_minutes, new.window_days, new.max_per_day, new.max_per_visitor, new.cutoff_minutes, new.is_active, new.availability, new.questions) then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION app.touch_bookings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.user_id, old.id, old.created_at, old.updated_at, old.version, old.title, old.description, old.start_time, old.end_time, old.timezone, old.attendee_name, old.attendee_email, old.attendee_phone, old.notes, old.status, old.booking_link_id, old.contact_id, old.buffer_before_minutes, old.buffer_after_minutes, old.request_key, old.answers) is distinct from (new.user_id, new.id, new.created_at, new.updated_at, new.version, new.title, new.description, new.start_time, new.end_time, new.timezone, new.attendee_name, new.attendee_email, new.attendee_phone, new.notes, new.status, new.booking_link_id, new.contact_id, new.buffer_before_minutes, new.buffer_after_minutes, new.request_key, new.answers) then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION app.touch_companies()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.user_id, old.id, old.created_at, old.updated_at, old.version, old.name, old.industry, old.website, old.phone, old.email, old.employees_count, old.tags) is distinct from (new.user_id, new.id, new.created_at, new.updated_at, new.version, new.name, new.industry, new.website, new.phone, new.email, new.employees_count, new.tags) then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION app.touch_conversations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.user_id, old.id, old.created_at, old.updated_at, old.version, old.title, old.allowed_changes) is distinct from (new.user_id, new.id, new.created_at, new.updated_at, new.version, new.title, new.allowed_changes) then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION app.touch_crm_connections()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.user_id, old.id, old.created_at, old.updated_at, old.version, old.crm_type, old.api_url) is distinct from (new.user_id, new.id, new.created_at, new.updated_at, new.version, new.crm_type, new.api_url) then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION app.touch_crm_contacts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.user_id, old.id, old.created_at, old.updated_at, old.version, old.external_id, old.crm_connection_id, old.first_name, old.last_name, old.email, old.phone, old.mobile_phone, old.company, old.title, old.department, old.mailing_street, old.mailing_city, old.mailing_state, old.mailing_postal_code, old.mailing_country, old.reports_to_id, old.lead_source, old.description, old.raw_data, old.phone_key, old.mobile_phone_key, old.company_id, old.tags) is distinct from (new.user_id, new.id, new.created_at, new.updated_at, new.version, new.external_id, new.crm_connection_id, new.first_name, new.last_name, new.email, new.phone, new.mobile_phone, new.company, new.title, new.department, new.mailing_street, new.mailing_city, new.mailing_state, new.mailing_postal_code, new.mailing_country, new.reports_to_id, new.lead_source, new.description, new.raw_data, new.phone_key, new.mobile_phone_key, new.company_id, new.tags) then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION app.touch_deals()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.user_id, old.id, old.created_at, old.updated_at, old.version, old.title, old.description, old.value, old.stage, old.probability, old.expected_close_date, old.contact_id, old.company_id, old.tags) is distinct from (new.user_id, new.id, new.created_at, new.updated_at, new.version, new.title, new.description, new.value, new.stage, new.probability, new.expected_close_date, new.contact_id, new.company_id, new.tags) then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION app.touch_distinct_contacts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.user_id, old.id, old.created_at, old.updated_at, old.version, old.contact_id, old.other_id) is distinct from (new.user_id, new.id, new.created_at, new.updated_at, new.version, new.contact_id, new.other_id) then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION app.touch_files()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.user_id, old.id, old.created_at, old.updated_at, old.version, old.folder_id, old.contact_id, old.object_id, old.file_name, old.file_type, old.file_size, old.mime_type, old.storage_path, old.is_ai_generated) is distinct from (new.user_id, new.id, new.created_at, new.updated_at, new.version, new.folder_id, new.contact_id, new.object_id, new.file_name, new.file_type, new.file_size, new.mime_type, new.storage_path, new.is_ai_generated) then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION app.touch_folders()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.user_id, old.id, old.created_at, old.updated_at, old.version, old.name, old.parent_folder_id) is distinct from (new.user_id, new.id, new.created_at, new.updated_at, new.version, new.name, new.parent_folder_id) then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION app.touch_form_submissions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.user_id, old.id, old.created_at, old.updated_at, old.version, old.form_id, old.contact_id, old.form_version_id, old.submission_data, old.name, old.email, old.summary, old.source, old.is_spam, old.spam_reason) is distinct from (new.user_id, new.id, new.created_at, new.updated_at, new.version, new.form_id, new.contact_id, new.form_version_id, new.submission_data, new.name, new.email, new.summary, new.source, new.is_spam, new.spam_reason) then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION app.touch_lead_forms()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.user_id, old.id, old.created_at, old.updated_at, old.version, old.title, old.slug, old.description, old.success_message, old.is_active, old.redirect_url, old.closes_at, old.max_submissions, old.form_fields) is distinct from (new.user_id, new.id, new.created_at, new.updated_at, new.version, new.title, new.slug, new.description, new.success_message, new.is_active, new.redirect_url, new.closes_at, new.max_submissions, new.form_fields) then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION app.touch_notes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.user_id, old.id, old.created_at, old.updated_at, old.version, old.contact_id, old.content) is distinct from (new.user_id, new.id, new.created_at, new.updated_at, new.version, new.contact_id, new.content) then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION app.touch_other_calendars()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.user_id, old.id, old.created_at, old.updated_at, old.version, old.name) is distinct from (new.user_id, new.id, new.created_at, new.updated_at, new.version, new.name) then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION app.touch_profiles()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.user_id, old.id, old.created_at, old.updated_at, old.version, old.full_name, old.timezone, old.country, old.currency, old.first_steps_hidden, old.region_confirmed) is distinct from (new.user_id, new.id, new.created_at, new.updated_at, new.version, new.full_name, new.timezone, new.country, new.currency, new.first_steps_hidden, new.region_confirmed) then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION app.touch_tasks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.user_id, old.id, old.created_at, old.updated_at, old.version, old.title, old.description, old.status, old.priority, old.due_date, old.completed_at, old.contact_id, old.deal_id) is distinct from (new.user_id, new.id, new.created_at, new.updated_at, new.version, new.title, new.description, new.status, new.priority, new.due_date, new.completed_at, new.contact_id, new.deal_id) then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION app.touch_views()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.user_id, old.id, old.created_at, old.updated_at, old.version, old.list, old.name, old.address) is distinct from (new.user_id, new.id, new.created_at, new.updated_at, new.version, new.list, new.name, new.address) then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION app.undo_window()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN '30 days'::interval;
grant execute on function app.undo_window() to foyer_app;

CREATE OR REPLACE FUNCTION app.use_page_token(token_hash bytea, expires_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with used as (insert into used_page_tokens values ($1, $2) on conflict do nothing returning true)
  select exists (select from used) $function$;
grant execute on function app.use_page_token(bytea,timestamp with time zone) to foyer_app;

CREATE OR REPLACE FUNCTION app.user_by_email(address text)
 RETURNS TABLE(id uuid, password_hash text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select u.id, u.password_hash from users u where u.email = address $function$;
grant execute on function app.user_by_email(text) to foyer_app;

CREATE OR REPLACE FUNCTION app.uuid_floor(at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ((lpad(to_hex(((EXTRACT(epoch FROM at) * (1000)::numeric))::bigint), 12, '0'::text) || repeat('0'::text, 20)))::uuid;
grant execute on function app.uuid_floor(timestamp with time zone) to foyer_app;

CREATE OR REPLACE FUNCTION app.word_start(text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ('\m'::text || regexp_replace(app.fold($1), '\W'::text, '\\\&'::text, 'g'::text));
grant execute on function app.word_start(text) to foyer_app;

CREATE OR REPLACE FUNCTION app.words(text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT COST 10000
AS $function$
begin
  return array(select word from regexp_split_to_table(regexp_replace($1, '\S+@\S+', '', 'g'), '[^[:alnum:]]+') word
    where length(word) <= 60 and (word ~ '[^[:ascii:]]' or (length(word) >= 4 and word !~ '^\d+$')));
end $function$;
grant execute on function app.words(text) to foyer_app;

CREATE OR REPLACE FUNCTION app.write_journal()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_variable
declare
  is_cascade boolean := tg_argv[0] = 'cascade';
  generated text[] := tg_argv[1:];
  omitted text[] := generated || '{updated_at,version}'::text[];
  row_count bigint;
  is_own boolean;
  value_bytes bigint := 0;
  written bigint;
  -- the column of a link from a row to its parent in the same table, with which it is deleted
  tree_column text;
  edit record;
begin
  if tg_op = 'INSERT' then
    select count(*), bool_and(user_id = app.owner()), sum(pg_column_size(r.*)) into row_count, is_own, value_bytes from new_rows r;
  else
    select count(*), bool_and(user_id = app.owner()) into row_count, is_own from old_rows;
  end if;
  if row_count = 0 or is_own is null then return null; end if; -- without an owner, as at sign-up, nothing is journaled
  if is_cascade and exists (select from app.erasing) then return null; end if;
  if not is_own then raise exception 'A transaction changes rows of one owner only'; end if;

  -- the texts of images do not depend on the connection
  if current_setting('timezone') <> 'UTC' then perform set_config('timezone', 'UTC', true); end if;
  if current_setting('intervalstyle') <> 'iso_8601' then perform set_config('intervalstyle', 'iso_8601', true); end if;
  if current_setting('bytea_output') <> 'hex' then perform set_config('bytea_output', 'hex', true); end if;
  if current_setting('datestyle') not like 'ISO%' then perform set_config('datestyle', 'ISO', true); end if;
  if current_setting('extra_float_digits')::int < 1 then perform set_config('extra_float_digits', '1', true); end if;

  -- an update that changes nothing makes neither a change set nor a step
  if tg_op = 'INSERT' then
    insert into journal (change, step, line, user_id, table_name, row_id, operation, cascade, version, after)
    select (select app.open_change()), (select nextval('app.journal_step')), row_number() over (), r.user_id, tg_table_name, r.id,
      'I', is_cascade, r.version, to_jsonb(r.*) - omitted
    from new_rows r;
  elsif tg_op = 'DELETE' then
    if is_cascade then
      select a.attname into tree_column from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey) and a.attname <> 'user_id'
      where c.contype = 'f' and c.confdeltype = 'c' and c.conrelid = tg_relid and c.confrelid = tg_relid;
    end if;
    insert into journal (change, step, line, user_id, table_name, row_id, operation, cascade, version, before)
    select (select app.open_change()), (select nextval('app.journal_step')), row_number() over (), d.user_id, tg_table_name, d.id,
      'D', is_cascade and (tree_column is null or coalesce((d.image ->> tree_column)::uuid in (select p.id from old_rows p), false)),
      d.version, d.image
    from (select r.user_id, r.id, r.version, to_jsonb(r.*) - generated as image from old_rows r) d;
  elsif row_count = 1 then
    select n.user_id, n.id, n.version, d.before, d.after into edit
    from (select to_jsonb(r.*) - omitted as image from old_rows r offset 0) o
    cross join (select r.user_id, r.id, r.version, to_jsonb(r.*) - omitted as image from new_rows r offset 0) n
    cross join lateral (
      select jsonb_object_agg(k.key, k.value) as before, jsonb_object_agg(k.key, n.image -> k.key) as after
      from jsonb_each(o.image) k where k.value is distinct from n.image -> k.key
    ) d;
    if edit.after is null then return null; end if;
    value_bytes := pg_column_size(edit.after);
    insert into journal (change, step, line, user_id, table_name, row_id, operation, cascade, version, before, after)
    values (app.open_change(), nextval('app.journal_step'), 1, edit.user_id, tg_table_name, edit.id, 'U', is_cascade, edit.version,
      edit.before, edit.after);
  else
    perform set_config('enable_nestloop', 'off', true); -- a plan for one row would pair 100,000 rows for minutes
    with lines as (
      insert into journal as added (change, step, line, user_id, table_name, row_id, operation, cascade, version, before, after)
      select (select app.open_change()), (select nextval('app.journal_step')), o.line, o.user_id, tg_table_name, o.id,
        'U', is_cascade, n.version, d.before, d.after
      from (select row_number() over () as line, r.user_id, r.id, to_jsonb(r.*) - omitted as image from old_rows r) o
      join (select row_number() over () as line, r.version, to_jsonb(r.*) - omitted as image from new_rows r) n using (line)
      cross join lateral (
        select jsonb_object_agg(k.key, k.value) as before, jsonb_object_agg(k.key, n.image -> k.key) as after
        from jsonb_each(o.image) k where k.value is distinct from n.image -> k.key
      ) d
      where d.after is not null
      returning pg_column_size(added.after) as bytes
    )
    select count(*), coalesce(sum(lines.bytes), 0) into row_count, value_bytes from lines;
    perform set_config('enable_nestloop', 'on', true);
  end if;
  written := app.count_written(2 * value_bytes + app.line_bytes() * row_count, tg_op <> 'DELETE' and not is_cascade);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION jobs.enqueue(type text, payload jsonb, key text, run_at timestamp with time zone, outlives_account boolean DEFAULT false)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'jobs', 'pg_temp'
AS $function$
  select pg_notify('jobs', '');
  insert into jobs.jobs as job (owner, type, payload, key, run_at, outlives_account)
  values (app.owner(), enqueue.type, enqueue.payload, enqueue.key, coalesce(enqueue.run_at, '-infinity'), enqueue.outlives_account)
  on conflict (owner, type, key) where failed_at is null and key is not null do update set
    payload = excluded.payload,
    run_at = case when job.taken_by is not null and not job.added_again then excluded.run_at else least(job.run_at, excluded.run_at) end,
    added_again = job.taken_by is not null,
    attempts = 0
  returning id $function$;
grant execute on function jobs.enqueue(text,jsonb,text,timestamp with time zone,boolean) to foyer_app;

CREATE OR REPLACE FUNCTION jobs.find_key(job_type text, part jsonb)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'jobs', 'pg_temp'
AS $function$
  select job.key from jobs.jobs job
  where job.owner = app.owner() and job.type = job_type and job.failed_at is null and job.payload @> part limit 1 $function$;
grant execute on function jobs.find_key(text,jsonb) to foyer_app;

CREATE OR REPLACE FUNCTION jobs.forget_failures(job_type text, job_key text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'jobs', 'pg_temp'
AS $function$
  update jobs.jobs job set attempts = 0, crashes = 0
  where job.owner = app.owner() and job.type = job_type and job.key = job_key and job.failed_at is null
    and (job.attempts > 0 or job.crashes > 0) $function$;
grant execute on function jobs.forget_failures(text,text) to foyer_app;

CREATE OR REPLACE FUNCTION jobs.has_failed(failed_key text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'jobs', 'pg_temp'
AS $function$
  select exists (select from jobs.jobs job where job.owner = app.owner() and job.key = failed_key and job.failed_at is not null)
    and not exists (select from jobs.jobs job where job.owner = app.owner() and job.key = failed_key and job.failed_at is null) $function$;
grant execute on function jobs.has_failed(text) to foyer_app;

CREATE OR REPLACE FUNCTION jobs.is_alive(worker integer)
 RETURNS boolean
 LANGUAGE sql
RETURN (EXISTS (SELECT FROM pg_locks l WHERE ((l.locktype = 'advisory'::text) AND (l.classid = (7001)::oid) AND (l.objid = (is_alive.worker)::oid) AND (l.objsubid = 2) AND l.granted AND (l.database = (SELECT d.oid FROM pg_database d WHERE (d.datname = current_database()))))));

CREATE OR REPLACE FUNCTION jobs.next_runs(type text, keys text[])
 RETURNS TABLE(key text, run_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'jobs', 'pg_temp'
AS $function$
  select job.key, job.run_at from jobs.jobs job
  where job.owner = app.owner() and job.type = next_runs.type and job.key = any (next_runs.keys) and job.failed_at is null $function$;
grant execute on function jobs.next_runs(text,text[]) to foyer_app;
