-- What every kind of record has beside columns, links and sorts of its own, in one call for those to come: whose rows they are, the journal,
-- the plain view that searches go through, and the indexes of lists, searches and tags. It expects `search`, and `tag_keys` beside `tags`.
create function app.keep_records(kept regclass) returns void language plpgsql as $$
declare
  name text := (select relname from pg_class where oid = kept);
begin
  -- room on the page: an edit that no index sees then leaves the indexes alone
  execute format('alter table %s set (fillfactor = 85)', kept);
  execute format('alter table %s enable row level security', kept);
  execute format('create policy own on %s using (user_id = app.owner()) with check (user_id = app.owner())', kept);
  execute format('grant select, insert, update, delete on %s to foyer_app', kept);
  execute format('create trigger touch before update on %s for each row execute function app.touch()', kept);
  execute format('create index %I on %s (user_id, id desc) include (search)', name || '_newest', kept);
  execute format('create index %I on %s using gin (user_id, search gin_trgm_ops)', name || '_search', kept);
  execute format('create index %I on %s using gin (user_id, app.words(search)) with (gin_pending_list_limit = 256)', name || '_words', kept);
  if exists (select from pg_attribute where attrelid = kept and attname = 'tags') then
    execute format('create index %I on %s using gin (user_id, tag_keys)', name || '_tags', kept);
    execute format('create trigger tags before insert or update of tags on %s for each row when (cardinality(new.tags) > 1)
      execute function app.keep_tags_once()', kept);
  end if;
  perform app.attach_journal(kept);
  execute format('create view %I as select * from %s where user_id = app.owner()', name || '_find', kept);
  execute format('grant select on %I to foyer_app', name || '_find');
end $$;
