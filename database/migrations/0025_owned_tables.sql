-- One call for each form of an owned table: records, which are journaled, and rows that undo never brings back (sent mails, attempts, chunks).
drop function app.keep_records(regclass);

-- Owner, grants, journal, the view that searches use and the indexes of lists, searches and tags. It expects `search`, and `tag_keys`
-- beside `tags`.
create function app.set_up_record_table(record_table regclass) returns void language plpgsql as $$
declare
  name text := (select relname from pg_class where oid = record_table);
begin
  -- free space in each page: an update of columns without an index then writes no index
  execute format('alter table %s set (fillfactor = 85)', record_table);
  execute format('alter table %s enable row level security', record_table);
  execute format('create policy own on %s using (user_id = app.owner()) with check (user_id = app.owner())', record_table);
  execute format('grant select, insert, update, delete on %s to foyer_app', record_table);
  execute format('create trigger touch before update on %s for each row execute function app.touch()', record_table);
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

-- Owner and grants of rows that are not journaled. The comment tells the tests that this is on purpose.
create function app.set_up_owned_table(owned_table regclass) returns void language plpgsql as $$
begin
  if not exists (select from pg_constraint k where k.conrelid = owned_table and pg_get_constraintdef(k.oid) = 'PRIMARY KEY (user_id, id)') then
    raise exception '% has no primary key (user_id, id)', owned_table;
  end if;
  if not exists (select from pg_constraint k where k.conrelid = owned_table
    and pg_get_constraintdef(k.oid) = 'FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE') then
    raise exception '% is not deleted with its owner', owned_table;
  end if;
  execute format('alter table %s enable row level security', owned_table);
  execute format('create policy own on %s using (user_id = app.owner()) with check (user_id = app.owner())', owned_table);
  execute format('grant select, insert, update, delete on %s to foyer_app', owned_table);
  execute format('comment on table %s is %L', owned_table, 'owned, not journaled');
end $$;
