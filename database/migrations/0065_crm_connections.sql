-- Connections to other CRMs, their keys, and the runs of their syncs. The keys and runs are not journaled: keys must not be in the journal,
-- and an undo must not change what a run has reported. A schedule deletes them when neither their connection nor an undo needs them.
create table crm_connections (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  crm_type text not null,
  api_url text not null,
  primary key (user_id, id)
);
alter table crm_connections enable row level security;
create policy own on crm_connections using (user_id = app.owner()) with check (user_id = app.owner());
grant select, insert, update, delete on crm_connections to foyer_app;
create trigger touch before update on crm_connections for each row execute function app.touch();
select app.attach_journal('crm_connections');

-- a contact stays when its connection is deleted
alter table crm_contacts add constraint crm_contacts_crm_connection foreign key (user_id, crm_connection_id)
  references crm_connections (user_id, id) on delete set null (crm_connection_id) deferrable;

create table crm_connection_keys (
  user_id uuid not null default app.owner() references users on delete cascade,
  -- the id of the connection
  id uuid not null,
  created_at timestamptz not null default now(),
  -- encrypted for the owner and the origin of the API URL
  sealed_key text not null,
  primary key (user_id, id)
);
select app.set_up_owned_table('crm_connection_keys');

create table crm_syncs (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  connection_id uuid not null,
  -- the change group of the contacts
  change_id uuid not null,
  status text not null default 'running',
  -- null: all contacts; otherwise only those that changed after this time
  changed_since timestamptz,
  started_at timestamptz not null,
  finished_at timestamptz,
  -- the number of rows of the other CRM that were read
  position int not null default 0,
  -- failed attempts since the last page
  failures int not null default 0,
  created int not null default 0,
  updated int not null default 0,
  unchanged int not null default 0,
  skipped int not null default 0,
  failed int not null default 0,
  missing int not null default 0,
  missing_ids uuid[] not null default '{}',
  reasons jsonb not null default '[]',
  problem text,
  primary key (user_id, id)
);
select app.set_up_owned_table('crm_syncs');
create index crm_syncs_newest on crm_syncs (user_id, connection_id, id desc);
create unique index crm_syncs_running on crm_syncs (user_id, connection_id) where status in ('running', 'waiting');
create trigger publish_added after insert on crm_syncs referencing new table as new_rows
  for each statement execute function app.publish_writes();
create trigger publish_edited after update on crm_syncs referencing new table as new_rows
  for each statement execute function app.publish_writes();

-- The contacts of each page that a running sync has stored, so that a contact that comes twice is stored and counted once.
create table crm_sync_pages (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  sync_id uuid not null,
  external_ids text[] not null,
  primary key (user_id, id),
  constraint crm_sync_pages_sync foreign key (user_id, sync_id) references crm_syncs (user_id, id) on delete cascade
);
create index crm_sync_pages_sync on crm_sync_pages (user_id, sync_id);
select app.set_up_owned_table('crm_sync_pages');
