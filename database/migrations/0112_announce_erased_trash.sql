-- A change set without journal lines is no event, so other tabs and devices still showed what was erased from the trash. The changed places
-- are the two inserts into unjournaled_writes.
create or replace function app.erase_row(record_table text, record_id uuid)
 returns integer language plpgsql security definer set search_path = public, pg_temp as $$
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
end $$;

create or replace function app.empty_trash()
 returns integer language plpgsql security definer set search_path = public, pg_temp as $$
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
end $$;;
