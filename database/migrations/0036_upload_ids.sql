-- Lets a client choose the id of an upload, limits the open uploads of an owner, and checks the names of several folders that are moved.

-- Adds an upload if the owner's stored objects and open uploads leave room for it under `quota`, in bytes, and if the owner has fewer than
-- `max_open` open uploads. Returns 'added', 'exists' for a used id, 'too many' or 'no space'. Of one owner's uploads one is added at a time,
-- because together they might exceed the quota.
drop function app.add_upload(jsonb, bigint);
create function app.add_upload(upload jsonb, quota bigint, max_open int) returns text language plpgsql set search_path = public, pg_temp as $$
declare
  added uploads;
  open_count bigint;
  open_bytes numeric;
  stored_bytes numeric;
begin
  perform pg_advisory_xact_lock(hashtextextended('uploads ' || app.owner()::text, 0));
  added := jsonb_populate_record(null::uploads, upload || jsonb_build_object('user_id', app.owner(), 'created_at', now()));
  if exists (select from uploads where user_id = app.owner() and id = added.id) then return 'exists'; end if;
  select count(*), coalesce(sum(file_size), 0) into open_count, open_bytes from uploads where user_id = app.owner() and file_id is null;
  if open_count >= max_open then return 'too many'; end if;
  select coalesce(sum(file_size), 0) into stored_bytes from stored_objects where user_id = app.owner();
  if stored_bytes + open_bytes + added.file_size > quota then return 'no space'; end if;
  insert into uploads select added.*;
  return 'added';
end $$;

-- Refuses an edit of folders when a parent would have two folders of one name, of which at least one was edited.
create function app.refuse_folder_names(edited uuid[], fields jsonb) returns void language plpgsql set search_path = public, pg_temp as $$
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
end $$;
grant execute on function app.add_upload(jsonb, bigint, int), app.refuse_folder_names(uuid[], jsonb) to foyer_app;
