-- The purge copies a journal partition without its values and swaps the copy in: rows that are erased meanwhile must not come back with it.

-- Rows that were erased from the journal since the last purge; without a row id, everything of the owner.
create table app.journal_erasures (
  user_id uuid not null,
  row_id uuid
);

-- Erases a row of the owner, living or in the trash, with its children by cascade. Returns the number of erased rows.
create or replace function app.erase_row(record_table text, record_id uuid) returns int
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me uuid := app.owner();
  tables text[] := array[record_table];
  ids uuid[] := array[record_id];
  more_tables text[];
  more_ids uuid[];
begin
  if not exists (select from app.journaled_tables where name = record_table) then return 0; end if;
  execute format('delete from %I where user_id = $1 and id = $2', record_table) using me, record_id;
  if not exists (select from journal where user_id = me and table_name = record_table and row_id = record_id) then return 0; end if;
  -- by now its children are deleted too, and the last image of each row names its parents
  while exists (select from app.journal_links where cascades and parent = any (tables)) loop
    select array_agg(f.table_name), array_agg(f.row_id) into more_tables, more_ids from (
      select distinct j.table_name, j.row_id
      from journal j
      join app.journal_links l on l.child = j.table_name and l.cascades
      join unnest(tables, ids) gone (table_name, row_id) on gone.table_name = l.parent and gone.row_id::text = j.before ->> l.column_name
      where j.user_id = me and j.operation = 'D' and j.change >= app.uuid_floor(now() - app.undo_window())
        and not exists (select from unnest(tables, ids) known (table_name, row_id) where known.table_name = j.table_name and known.row_id = j.row_id)
        and not exists (select from journal later where later.user_id = me and later.row_id = j.row_id
          and later.table_name = j.table_name and later.operation = 'I' and later.step > j.step)
    ) f;
    exit when more_ids is null;
    tables := tables || more_tables;
    ids := ids || more_ids;
  end loop;
  delete from journal j using unnest(tables, ids) gone (table_name, row_id)
    where j.user_id = me and j.row_id = gone.row_id and j.table_name = gone.table_name;
  insert into app.journal_erasures select me, unnest(ids);
  perform app.open_change();
  return cardinality(ids);
end $$;

-- Erases everything in the owner's trash. Returns the number of erased rows.
create or replace function app.empty_trash() returns int
  language plpgsql security definer set search_path = public, pg_temp as $$
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
  if erased > 0 then perform app.open_change(); end if;
  return erased;
end $$;

-- Erases the owner: the account, everything in it and all history.
create or replace function app.delete_account() returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me uuid := app.owner();
begin
  insert into app.erasing (user_id) values (me);
  delete from users where id = me;
  delete from journal j using changesets c where c.user_id = me and j.change = c.id;
  delete from changesets where user_id = me;
  insert into app.journal_erasures (user_id) values (me);
  delete from app.erasing where user_id = me;
end $$;
