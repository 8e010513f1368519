-- Limits how many folders can be inside each other. The folders that a statement adds or moves are checked together: each one alone read all
-- folders above it, so that restoring 3,000 levels took half a minute. Folders older than this limit may be deeper and come back by undo.
drop trigger refuse_cycle on folders;
drop function app.refuse_folder_cycle();

-- Equals `maxFolderDepth` of the contract; a test compares them.
create function app.max_folder_depth() returns int language sql immutable return 100;
grant execute on function app.max_folder_depth() to foyer_app;

-- Refuses a folder inside itself, because nobody could reach it, and a folder that is too deep. The changes of one owner wait for each other,
-- because two moves at once could make a cycle that neither of them sees.
create function app.check_folder_tree() returns trigger language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  me uuid;
  changed uuid[];
  ids uuid[];
  parents uuid[];
  dates timestamptz[];
  begun timestamptz;
  reached bigint;
  too_deep bigint;
begin
  if tg_op = 'INSERT' then
    select array_agg(n.id) into changed from new_rows n;
  else
    select array_agg(n.id) into changed
    from (select id, parent_folder_id from new_rows except select id, parent_folder_id from old_rows) n;
  end if;
  if changed is null then return null; end if;
  select user_id into me from new_rows limit 1;
  perform pg_advisory_xact_lock(hashtextextended('folders ' || me::text, 0));

  -- all folders above and below; only those below have a date. The subqueries look up rows by a key, while a join might read all folders.
  with recursive above as (
    select unnest(changed) as id
    union
    select (select f.parent_folder_id from folders f where f.user_id = me and f.id = above.id) from above where above.id is not null
  ), below as (
    select unnest(changed) as id
    union
    select f.id from below cross join lateral
      (select id from folders where user_id = me and parent_folder_id = below.id offset 0) f
  ), tree as (
    select id, bool_or(is_below) as is_below
    from (select id, false as is_below from above union all select id, true from below) found group by id
  )
  select array_agg(f.id), array_agg(f.parent_folder_id), array_agg(case when tree.is_below then f.created_at end)
    into ids, parents, dates
  from tree cross join lateral (select * from folders where user_id = me and id = tree.id offset 0) f;

  select at into begun from app.migrations where name like '%\_folder\_depth.sql';
  -- without statistics PostgreSQL would compare each pair of folders
  perform set_config('enable_nestloop', 'off', true), set_config('enable_mergejoin', 'off', true);
  with recursive folder as materialized (
    select * from unnest(ids, parents, dates) f (id, parent, created_at)
  ), leveled as (
    select id, created_at, 1 as level from folder where parent is null or parent not in (select id from folder)
    union all
    select f.id, f.created_at, l.level + 1 from leveled l join folder f on f.parent = l.id
  )
  select count(*), count(*) filter (where level > app.max_folder_depth() and created_at >= begun) into reached, too_deep from leveled;
  perform set_config('enable_nestloop', 'on', true), set_config('enable_mergejoin', 'on', true);
  if reached < cardinality(ids) then
    raise exception using errcode = 'check_violation', constraint = 'folders_cycle', message = 'A folder is inside itself';
  end if;
  if too_deep > 0 then
    raise exception using errcode = 'check_violation', constraint = 'folders_depth', message = 'Too many folders are inside each other',
      hint = format('There would be more than %s folders inside each other. Move the folder around them to a higher place first.', app.max_folder_depth());
  end if;
  return null;
end $$;
create trigger check_added after insert on folders referencing new table as new_rows
  for each statement execute function app.check_folder_tree();
create trigger check_moved after update on folders referencing old table as old_rows new table as new_rows
  for each statement execute function app.check_folder_tree();
