-- Keeps the sum of the bytes of each owner's stored objects, so that the start of an upload does not read all of them.
create table storage_use (
  user_id uuid not null default app.owner() references users on delete cascade,
  -- the owner's id, because an owner has one row
  id uuid not null check (id = user_id),
  stored_bytes bigint not null,
  primary key (user_id, id)
);
select app.set_up_owned_table('storage_use');

-- The order of the owners prevents a deadlock of two statements. An account that is being deleted has no row any more.
create function app.count_stored_bytes() returns trigger language plpgsql set search_path = public, pg_temp as $$
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
end $$;
create trigger count_added_bytes after insert on stored_objects referencing new table as changed_rows
  for each statement execute function app.count_stored_bytes();
create trigger count_deleted_bytes after delete on stored_objects referencing old table as changed_rows
  for each statement execute function app.count_stored_bytes();
insert into storage_use select user_id, user_id, sum(file_size) from stored_objects group by user_id;
drop index stored_objects_size;

-- Finished uploads stay for days, and only the others count.
create index uploads_open on uploads (user_id, id) include (file_size) where file_id is null;

-- As in 0036, with the sum that is kept.
create or replace function app.add_upload(upload jsonb, quota bigint, max_open int) returns text
language plpgsql set search_path = public, pg_temp as $$
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
end $$;
