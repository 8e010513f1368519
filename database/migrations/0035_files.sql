-- Folders and files of an owner, the stored objects that hold the bytes of files, and uploads. A file is in a folder, in the root folder,
-- or attached to a contact.
create table folders (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  name text not null default '',
  -- null in the root folder
  parent_folder_id uuid,
  search text generated always as (app.fold(name) || E'\n' || app.respelled(name)) stored,
  primary key (user_id, id),
  constraint folders_parent foreign key (user_id, parent_folder_id) references folders (user_id, id) on delete cascade deferrable
);
create index folders_name on folders (user_id, name collate "und-x-icu", id);
create index folders_parent on folders (user_id, parent_folder_id, name collate "und-x-icu", id);
select app.set_up_record_table('folders');

-- The bytes of files. `sha256` is null until a job has computed it. Rows are deleted when no file and no undo needs them.
create table stored_objects (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  storage_path text not null constraint stored_objects_path unique,
  file_size bigint not null check (file_size >= 0),
  sha256 bytea check (length(sha256) = 32),
  primary key (user_id, id)
);
create index stored_objects_size on stored_objects (user_id) include (file_size);
select app.set_up_owned_table('stored_objects');

create table files (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  folder_id uuid,
  contact_id uuid,
  object_id uuid not null,
  file_name text not null,
  file_type text not null default 'unknown',
  file_size bigint not null,
  mime_type text not null default 'application/octet-stream',
  storage_path text not null,
  is_ai_generated boolean not null default false,
  search text generated always as (app.fold(file_name) || E'\n' || app.respelled(file_name)) stored,
  primary key (user_id, id),
  constraint files_place check (folder_id is null or contact_id is null),
  constraint files_folder foreign key (user_id, folder_id) references folders (user_id, id) on delete cascade deferrable,
  constraint files_contact foreign key (user_id, contact_id) references crm_contacts (user_id, id) on delete cascade deferrable,
  -- without an action, because the account is deleted with both tables in any order
  constraint files_object foreign key (user_id, object_id) references stored_objects (user_id, id) deferrable
);
create index files_object on files (user_id, object_id);
create index files_name on files (user_id, file_name collate "und-x-icu", id);
create index files_size on files (user_id, file_size, id);
-- the sorts of one folder, of the root folder, which has no attachments, and of the attachments of a contact
create index files_folder_newest on files (user_id, folder_id, id desc) where folder_id is not null;
create index files_folder_name on files (user_id, folder_id, file_name collate "und-x-icu", id) where folder_id is not null;
create index files_folder_size on files (user_id, folder_id, file_size, id) where folder_id is not null;
create index files_root_newest on files (user_id, id desc) where folder_id is null and contact_id is null;
create index files_root_name on files (user_id, file_name collate "und-x-icu", id) where folder_id is null and contact_id is null;
create index files_root_size on files (user_id, file_size, id) where folder_id is null and contact_id is null;
create index files_contact on files (user_id, contact_id, id desc) where contact_id is not null;
select app.set_up_record_table('files');
comment on column files.file_type is 'undone together with file_name';

-- Uploads. `storage_path` is null when the upload holds no bytes: they belong to the file, or the file existed already. `file_id` is null
-- until the upload is finished. There are no links to the folder and the contact, because undo may restore them before the end.
create table uploads (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  file_name text not null,
  file_size bigint not null check (file_size >= 0),
  mime_type text not null,
  folder_id uuid,
  contact_id uuid,
  if_exists text not null check (if_exists in ('keep_both', 'replace', 'skip')),
  storage_path text constraint uploads_path unique,
  -- null until the storage has started the upload
  storage_upload_id text,
  expires_at timestamptz not null,
  file_id uuid,
  primary key (user_id, id)
);
create index uploads_expiry on uploads (expires_at);
select app.set_up_owned_table('uploads');

-- The parts of uploads that are stored. `number` begins at 0; `tag` is what the storage returned for the part.
create table upload_parts (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  upload_id uuid not null,
  number int not null,
  tag text not null,
  size int not null,
  primary key (user_id, id),
  constraint upload_parts_number unique (user_id, upload_id, number),
  constraint upload_parts_upload foreign key (user_id, upload_id) references uploads (user_id, id) on delete cascade
);
select app.set_up_owned_table('upload_parts');

-- Timelines find deleted files and folders by what they were in, and the cleaning finds images that an undo could restore.
create index journal_deleted_of_folder on journal (user_id, (before ->> 'folder_id'), row_id desc)
  where operation = 'D' and before ->> 'folder_id' is not null;
create index journal_deleted_of_object on journal (user_id, (before ->> 'object_id'))
  where operation = 'D' and before ->> 'object_id' is not null;

-- Adds jobs that delete bytes, each for at most 500 objects. They outlive the account, and run after the rows are gone.
create function app.delete_bytes() returns trigger language plpgsql security definer set search_path = jobs, pg_temp as $$
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
end $$;
create trigger delete_bytes after delete on stored_objects referencing old table as old_rows for each statement execute function app.delete_bytes();
create trigger delete_bytes after delete on uploads referencing old table as old_rows for each statement execute function app.delete_bytes();

-- Refuses a folder inside itself, also in an undo, because nobody could reach it. Two moves of one owner wait for each other, because two
-- at once could make a cycle that neither of them sees.
create function app.refuse_folder_cycle() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('folders ' || new.user_id::text, 0));
  if exists (
    with recursive above as (
      select parent_folder_id as id from folders where user_id = new.user_id and id = new.id
      union
      select f.parent_folder_id from above join folders f on f.user_id = new.user_id and f.id = above.id
    )
    select from above where id = new.id
  ) then
    raise exception using errcode = 'check_violation', constraint = 'folders_cycle', message = 'A folder is inside itself';
  end if;
  return null;
end $$;
create constraint trigger refuse_cycle after insert or update of parent_folder_id on folders deferrable
  for each row when (new.parent_folder_id is not null) execute function app.refuse_folder_cycle();

-- Refuses a new folder or an edit when the parent has another folder of this name. Undo and restore may bring equal names back. `edited` is
-- null for a new folder; `fields` holds the changed columns.
create function app.refuse_folder_name(edited uuid, fields jsonb) returns void language plpgsql set search_path = public, pg_temp as $$
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
end $$;

-- Adds an upload if the owner's stored objects and open uploads leave room for it under `quota`, in bytes. Returns whether it was added. Of
-- one owner's uploads one is added at a time, because together they might exceed the quota.
create function app.add_upload(upload jsonb, quota bigint) returns boolean language plpgsql set search_path = public, pg_temp as $$
declare
  added uploads;
  used numeric;
begin
  perform pg_advisory_xact_lock(hashtextextended('uploads ' || app.owner()::text, 0));
  added := jsonb_populate_record(null::uploads, upload || jsonb_build_object('user_id', app.owner(), 'created_at', now()));
  select coalesce((select sum(file_size) from stored_objects where user_id = app.owner()), 0)
    + coalesce((select sum(file_size) from uploads where user_id = app.owner() and file_id is null), 0) into used;
  if used + added.file_size > quota then return false; end if;
  insert into uploads select added.*;
  return true;
end $$;
grant execute on function app.refuse_folder_cycle(), app.refuse_folder_name(uuid, jsonb), app.add_upload(jsonb, bigint) to foyer_app;
