-- An update that changes nothing kept the history as it was, but raised `version` and `updated_at`, so that the record came first in lists
-- by last change. Each table now has its own trigger function that names the columns: a row as a whole cannot be compared, because its
-- generated columns are computed after the trigger, and a comparison as JSON reads large values twice.
-- After a column was added or dropped, call app.attach_touch again.
create function app.attach_touch(owned regclass) returns void language plpgsql as $$
declare
  name text := 'touch_' || (select relname from pg_class where oid = owned);
  old_row text;
  new_row text;
begin
  select string_agg(format('old.%I', attname), ', ' order by attnum), string_agg(format('new.%I', attname), ', ' order by attnum)
    into old_row, new_row
  from pg_attribute where attrelid = owned and attnum > 0 and attgenerated = '' and not attisdropped;
  execute format('create or replace function app.%I() returns trigger language plpgsql as %L', name, format($f$
begin
  if (%s) is distinct from (%s) then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $f$, old_row, new_row));
  execute format('create or replace trigger touch before update on %s for each row execute function app.%I()', owned, name);
end $$;

create or replace function app.set_up_record_table(record_table regclass) returns void language plpgsql as $$
declare
  name text := (select relname from pg_class where oid = record_table);
begin
  -- free space in each page: an update of columns without an index then writes no index
  execute format('alter table %s set (fillfactor = 85)', record_table);
  execute format('alter table %s enable row level security', record_table);
  execute format('create policy own on %s using (user_id = app.owner()) with check (user_id = app.owner())', record_table);
  execute format('grant select, insert, update, delete on %s to foyer_app', record_table);
  perform app.attach_touch(record_table);
  execute format('create index %I on %s (user_id, id desc) include (search)', name || '_newest', record_table);
  execute format('create index %I on %s using gin (user_id, search gin_trgm_ops)', name || '_search', record_table);
  execute format('create index %I on %s using gin (user_id, app.words(search)) with (gin_pending_list_limit = 256)', name || '_words', record_table);
  if exists (select from pg_attribute where attrelid = record_table and attname = 'tags') then
    execute format('create index %I on %s using gin (user_id, tag_keys)', name || '_tags', record_table);
    execute format('create trigger tags before insert or update of tags on %s for each row when (cardinality(new.tags) > 1)
      execute function app.keep_tags_once()', record_table);
  end if;
  perform app.attach_journal(record_table);
  execute format('create view %I as select * from %s where user_id = app.owner()', name || '_find', record_table);
  execute format('grant select on %I to foyer_app', name || '_find');
end $$;

select app.attach_touch(tgrelid::regclass) from pg_trigger where tgfoid = 'app.touch'::regproc;
drop function app.touch();
