-- Limits that hold for all processes together: a row is a slot that a process holds or waits for, in the order of the ids.
create unlogged table app.slots (
  id bigint generated always as identity primary key,
  name text not null,
  process int not null
);
create index slots_name on app.slots (name, id);

-- The numbers of all leases, of job workers and of holders of slots.
create function app.living_processes() returns oid[] language sql stable
  return array (
    select l.objid from pg_locks l where l.locktype = 'advisory' and l.classid = 7001 and l.objsubid = 2 and l.granted
      and l.database = (select d.oid from pg_database d where d.datname = current_database()));

-- Takes one of so many slots, or joins those that wait for one; no row when none is free and the caller does not wait.
-- The lock makes ids grow in the order of commits.
create function app.take_slot(slot_name text, slot_process int, max_taken int, waits boolean) returns table (id bigint, is_taken boolean)
  language plpgsql as $$
declare
  before bigint;
begin
  perform pg_advisory_xact_lock(7003, hashtext(slot_name));
  delete from app.slots s where s.name = slot_name and s.process::oid <> all ((select app.living_processes())::oid[]);
  select count(*) into before from app.slots s where s.name = slot_name;
  if before >= max_taken and not waits then return; end if;
  return query insert into app.slots as s (name, process) values (slot_name, slot_process) returning s.id, before < max_taken;
end $$;

-- Whether fewer than so many living processes are in front of a slot.
create function app.is_slot_taken(slot_id bigint, max_taken int) returns boolean language sql stable
  return (
    select count(*) < max_taken from app.slots own join app.slots s on s.name = own.name and s.id < own.id
    where own.id = slot_id and s.process::oid = any ((select app.living_processes())::oid[]));
