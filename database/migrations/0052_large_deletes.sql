-- Deletes records on which very many others depend in parts: a job deletes or unlinks the dependents first, in the transactions of one change
-- group. A row that is restored from such a group comes back with its dependents from all transactions of the group.
alter table change_groups
  -- the group deletes records, and before them the rows that depend on them
  add column is_delete boolean not null default false,
  -- of a restore: the deleted row that comes back with its dependents
  add column only_row uuid;

drop function app.open_group(int);
-- Opens a group under the label of its transaction, which writes nothing else that is journaled.
create function app.open_group(total int, is_delete boolean) returns uuid
  language sql security definer set search_path = public, pg_temp as $$
  insert into change_groups (user_id, id, total, is_delete)
  values (app.owner(), app.open_change(), open_group.total, open_group.is_delete) returning id $$;
grant execute on function app.open_group(int, boolean) to foyer_app;

-- Counts the rows that the delete of these records would delete or unlink, up to `max_count` and some more.
create function app.count_dependents(record_table text, record_ids uuid[], max_count int) returns int
  language plpgsql stable set search_path = public, pg_temp as $$
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
end $$;
grant execute on function app.count_dependents(text, uuid[], int) to foyer_app;

-- Raises `large_delete` if more than `max_count` rows depend on these records.
create function app.refuse_large_delete(record_table text, record_ids uuid[], max_count int) returns void
  language plpgsql stable set search_path = public, pg_temp as $$
begin
  if app.count_dependents(record_table, record_ids, max_count) > max_count then
    raise exception using errcode = 'program_limit_exceeded', constraint = 'large_delete', message = 'Too many rows depend on these records';
  end if;
end $$;
grant execute on function app.refuse_large_delete(text, uuid[], int) to foyer_app;

-- Deletes or unlinks at most `max_rows` rows that depend on these records, those first on which nothing depends. Returns their number, 0 when
-- nothing depends on the records any more. The journal has them as cascades, as if the records were deleted at once.
create function app.detach_dependents(record_table text, record_ids uuid[], max_rows int) returns int
  language plpgsql security definer set search_path = public, pg_temp as $$
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
end $$;
grant execute on function app.detach_dependents(text, uuid[], int) to foyer_app;

drop function app.open_restore(uuid);
-- Opens the change set of a restore of a deleted row. The restore of a row that a group has deleted is a group too, which undoes all
-- transactions of that group, as far as they belong to the row.
create function app.open_restore(target uuid, out change uuid, out source uuid, out refusal text, out is_group boolean)
  language plpgsql security definer set search_path = public, pg_temp as $$
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
end $$;
grant execute on function app.open_restore(uuid) to foyer_app;

-- Opens the change set of a part of a restore: of what the change set `source` of a group has deleted or unlinked.
create function app.open_partial_restore(source uuid) returns uuid
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return app.insert_change(current_setting('app.label', true), restore_of => source);
end $$;
grant execute on function app.open_partial_restore(uuid) to foyer_app;

-- Marks the lines of the open change set, a redo of what the change set `undone` has undone, as cascades like those that it repeats. A redo
-- in parts deletes and unlinks dependents itself, which the trash should not list.
create function app.repeat_cascades(undone uuid) returns void
  language sql security definer set search_path = public, pg_temp as $$
  update journal j set cascade = true
  from changesets u join journal original on original.change = u.undo_of
  where u.user_id = app.owner() and u.id = undone and original.cascade and j.change = app.current_change() and not j.cascade
    and j.table_name = original.table_name and j.row_id = original.row_id $$;
grant execute on function app.repeat_cascades(uuid) to foyer_app;

-- Returns the key of an unfinished job whose payload contains `part`; null without one.
create function jobs.find_key(job_type text, part jsonb) returns text
  language sql stable security definer set search_path = jobs, pg_temp as $$
  select job.key from jobs.jobs job
  where job.owner = app.owner() and job.type = job_type and job.failed_at is null and job.payload @> part limit 1 $$;
grant execute on function jobs.find_key(text, jsonb) to foyer_app;
