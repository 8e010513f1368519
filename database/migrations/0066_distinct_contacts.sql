-- Pairs of contacts that look like duplicates and that the user said are two persons, and the move of everything that refers to a record.
create table distinct_contacts (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  contact_id uuid not null,
  other_id uuid not null,
  primary key (user_id, id),
  constraint distinct_contacts_contact foreign key (user_id, contact_id) references crm_contacts (user_id, id) on delete cascade deferrable,
  constraint distinct_contacts_other foreign key (user_id, other_id) references crm_contacts (user_id, id) on delete cascade deferrable,
  constraint distinct_contacts_are_two check (contact_id <> other_id)
);
create index distinct_contacts_contact on distinct_contacts (user_id, contact_id);
create index distinct_contacts_other on distinct_contacts (user_id, other_id);
-- a pair is the same in both orders; a move to another contact may change the order
create unique index distinct_contacts_pair on distinct_contacts (user_id, least(contact_id, other_id), greatest(contact_id, other_id));
alter table distinct_contacts enable row level security;
create policy own on distinct_contacts using (user_id = app.owner()) with check (user_id = app.owner());
grant select, insert, update, delete on distinct_contacts to foyer_app;
create trigger touch before update on distinct_contacts for each row execute function app.touch();
select app.attach_journal('distinct_contacts');

-- Links everything that refers to one record of a table to another record of the table. Reads the foreign keys, so that it also moves the
-- rows of later tables. A row that would violate a constraint, such as a second row for a pair, keeps its link. Returns the number of rows.
create function app.move_links(record_table regclass, from_id uuid, to_id uuid) returns int
  language plpgsql set search_path = public, pg_temp as $$
declare
  me uuid := app.owner();
  link record;
  row_id uuid;
  moved int;
  total int := 0;
begin
  set constraints all immediate; -- a violation must be noticed here, also of a constraint that is checked at the end of the transaction
  for link in
    select k.conrelid::regclass::text as child, a.attname as column_name
    from pg_constraint k
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey) and a.attname <> 'user_id'
    where k.contype = 'f' and k.confrelid = record_table order by 1, 2
  loop
    -- the rows are locked in the order of their ids, which prevents deadlocks
    execute format('select count(*) from (select from %s where user_id = $1 and %I = $2 order by id for no key update) locked', link.child,
      link.column_name) using me, from_id;
    begin
      execute format('update %1$s set %2$I = $3 where user_id = $1 and %2$I = $2', link.child, link.column_name) using me, from_id, to_id;
      get diagnostics moved = row_count;
      total := total + moved;
    exception when unique_violation or check_violation or exclusion_violation then
      for row_id in execute format('select id from %1$s where user_id = $1 and %2$I = $2 order by id', link.child, link.column_name)
        using me, from_id
      loop
        begin
          execute format('update %1$s set %2$I = $3 where user_id = $1 and id = $2', link.child, link.column_name) using me, row_id, to_id;
          total := total + 1;
        exception when unique_violation or check_violation or exclusion_violation then
          continue; -- the row goes with the record to which it belongs
        end;
      end loop;
    end;
  end loop;
  return total;
end $$;
grant execute on function app.move_links(regclass, uuid, uuid) to foyer_app;
