-- Limits how many folders can be inside each other. The folders that a statement adds or moves are checked together: each one alone read all
-- folders above it, so that restoring 3,000 levels took half a minute. Folders that are deeper, such as those older than this limit, can be
-- moved to a higher place, and undo brings them back to where they were.
drop trigger refuse_cycle on folders;
drop function app.refuse_folder_cycle();

-- Equals `maxFolderDepth` of the contract; a test compares them.
create function app.max_folder_depth() returns int language sql immutable return 100;
grant execute on function app.max_folder_depth() to foyer_app;

-- Returns the levels of folders; the first level is 1. A folder inside itself has none. A folder whose parent is not among them is at the
-- top. Without statistics PostgreSQL would compare each pair of folders.
create function app.read_folder_levels(ids uuid[], parents uuid[], out id uuid, out level int) returns setof record
language sql set enable_nestloop = off set enable_mergejoin = off as $$
  with recursive folder as materialized (
    select * from unnest(ids, parents) f (id, parent)
  ), leveled as (
    select f.id, 1 as level from folder f where f.parent is null or f.parent not in (select f.id from folder f)
    union all
    select f.id, l.level + 1 from leveled l join folder f on f.parent = l.id
  )
  select l.id, l.level from leveled l $$;

-- Returns the folders that were at another place, or did not exist, before the change set that the open change undoes or restores from.
-- Returns all folders if it does neither.
create function app.find_folders_placed_since(owner uuid, ids uuid[], parents uuid[]) returns setof uuid
language sql stable set search_path = public, pg_temp as $$
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
  where undone.step is null or earlier.operation = 'I' or (earlier.operation is not null and earlier.parent::uuid is distinct from f.parent) $$;

-- Returns whether a folder is deeper than the limit and deeper than it was: before this statement, or, if this is an undo, before the change set
-- that it undoes. `former_ids` and `former_parents` are where the moved folders were.
create function app.is_any_folder_too_deep(
  owner uuid, changed uuid[], former_ids uuid[], former_parents uuid[], ids uuid[], parents uuid[]
) returns boolean language plpgsql set enable_nestloop = off set enable_mergejoin = off as $$
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
end $$;

-- Refuses a folder inside itself, because nobody could reach it, and a folder that becomes too deep. The changes of one owner wait for each
-- other, because two moves at once could make a cycle that neither of them sees.
create function app.check_folder_tree() returns trigger language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off as $$
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
end $$;
create trigger check_added after insert on folders referencing new table as new_rows
  for each statement execute function app.check_folder_tree();
create trigger check_moved after update on folders referencing old table as old_rows new table as new_rows
  for each statement execute function app.check_folder_tree();
