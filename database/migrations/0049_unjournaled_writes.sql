-- Writes of tables without a journal that open screens show, such as the text of a file that was just read. The change feed publishes them
-- like change sets. A write deletes the owner's rows that every process has read long ago.
create table unjournaled_writes (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  xid xid8 default pg_current_xact_id(), -- null after the restore of a backup, as in changesets
  table_name text not null,
  primary key (user_id, id)
);
create index unjournaled_writes_xid on unjournaled_writes (xid);
select app.set_up_owned_table('unjournaled_writes');

create function app.publish_writes() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from unjournaled_writes where user_id in (select user_id from new_rows) and id < app.uuid_floor(now() - interval '10 minutes');
  insert into unjournaled_writes (user_id, table_name) select distinct user_id, tg_table_name from new_rows;
  return null;
end $$;
grant execute on function app.publish_writes() to foyer_app;
create trigger publish_writes after update on object_texts referencing new table as new_rows
  for each statement execute function app.publish_writes();
