-- Imports of files into record kinds, the rows of the files that failed or were skipped, and links that are set when all rows are stored.
create table imports (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  kind text not null check (kind in ('contact', 'company', 'deal', 'task')),
  file_name text not null,
  file_size bigint not null,
  -- the stored file; null when the import no longer needs it
  object_id uuid,
  status text not null default 'uploaded' check (status in ('uploaded', 'running', 'finished', 'failed', 'stopped')),
  mode text not null default 'both' check (mode in ('create', 'update', 'both')),
  -- how the user wants the file to be read
  options jsonb not null default '{}',
  -- what was found in the file, with samples and a preview
  found jsonb not null,
  -- the mapping of each column
  mapping jsonb not null,
  created_count int not null default 0,
  updated_count int not null default 0,
  skipped_count int not null default 0,
  failed_count int not null default 0,
  -- the rows of the file that are counted above; an interrupted job continues after them
  rows_done int not null default 0,
  rows_total int,
  problem text not null default '',
  -- the change group in the history
  change_id uuid,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (user_id, id),
  constraint imports_counts check (created_count + updated_count + skipped_count + failed_count = rows_done),
  -- without an action, because the account is deleted with both tables in any order
  constraint imports_object foreign key (user_id, object_id) references stored_objects (user_id, id) deferrable
);
create index imports_object on imports (user_id, object_id) where object_id is not null;
create index imports_open on imports (status) where status in ('uploaded', 'running');
select app.set_up_owned_table('imports');

create table import_rows (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  import_id uuid not null,
  -- the position in the file, from 1
  number int not null,
  line int not null,
  status text not null check (status in ('failed', 'skipped')),
  column_header text not null default '',
  reason text not null,
  cells text[] not null,
  primary key (user_id, id),
  constraint import_rows_import foreign key (user_id, import_id) references imports (user_id, id) on delete cascade
);
create index import_rows_number on import_rows (user_id, import_id, status, number);
select app.set_up_owned_table('import_rows');

-- Contacts whose manager is a name or an email, until all rows are stored.
create table import_links (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  import_id uuid not null,
  record_id uuid not null,
  name text not null,
  primary key (user_id, id),
  constraint import_links_import foreign key (user_id, import_id) references imports (user_id, id) on delete cascade
);
create index import_links_import on import_links (user_id, import_id, id);
select app.set_up_owned_table('import_links');

-- Rows of files count towards the space of their owner, because files decide how long they are.
create trigger count_insert after insert on imports referencing new table as new_rows for each statement execute function app.count_rows();
create trigger count_update after update on imports referencing old table as old_rows new table as new_rows
  for each statement execute function app.count_rows();
create trigger count_delete after delete on imports referencing old table as old_rows for each statement execute function app.count_rows();
create trigger count_insert after insert on import_rows referencing new table as new_rows for each statement execute function app.count_rows();
create trigger count_delete after delete on import_rows referencing old table as old_rows for each statement execute function app.count_rows();

-- Open screens show the progress.
create trigger publish_added after insert on imports referencing new table as new_rows
  for each statement execute function app.publish_writes();
create trigger publish_edited after update on imports referencing new table as new_rows
  for each statement execute function app.publish_writes();

-- False for an upload whose bytes do not become a file of the user.
alter table uploads add column becomes_file boolean not null default true;
