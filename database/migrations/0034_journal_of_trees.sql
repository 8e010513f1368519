-- The journal of tables whose rows are deleted with a parent in the same table, such as folders in folders. PostgreSQL joins such a cascade
-- with the statement that started it and calls the trigger once, as a cascade, for all rows. So a row counts as deleted by cascade only if
-- its parent was deleted too; the others were deleted directly, and are listed in the trash.
create or replace function app.write_journal() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  is_cascade boolean := tg_argv[0] = 'cascade';
  generated text[] := tg_argv[1:];
  omitted text[] := generated || '{updated_at,version}'::text[];
  row_count bigint;
  is_own boolean;
  -- the column of a link from a row to its parent in the same table, with which it is deleted
  tree_column text;
  edit record;
begin
  if tg_op = 'INSERT' then
    select count(*), bool_and(user_id = app.owner()) into row_count, is_own from new_rows;
  else
    select count(*), bool_and(user_id = app.owner()) into row_count, is_own from old_rows;
  end if;
  if row_count = 0 or is_own is null then return null; end if; -- without an owner, as at sign-up, nothing is journaled
  if is_cascade and exists (select from app.erasing) then return null; end if;
  if not is_own then raise exception 'A transaction changes rows of one owner only'; end if;

  -- the texts of images do not depend on the connection
  if current_setting('timezone') <> 'UTC' then perform set_config('timezone', 'UTC', true); end if;
  if current_setting('intervalstyle') <> 'iso_8601' then perform set_config('intervalstyle', 'iso_8601', true); end if;
  if current_setting('bytea_output') <> 'hex' then perform set_config('bytea_output', 'hex', true); end if;
  if current_setting('datestyle') not like 'ISO%' then perform set_config('datestyle', 'ISO', true); end if;
  if current_setting('extra_float_digits')::int < 1 then perform set_config('extra_float_digits', '1', true); end if;

  -- an update that changes nothing makes neither a change set nor a step
  if tg_op = 'INSERT' then
    insert into journal (change, step, line, user_id, table_name, row_id, operation, cascade, version, after)
    select (select app.open_change()), (select nextval('app.journal_step')), row_number() over (), r.user_id, tg_table_name, r.id,
      'I', is_cascade, r.version, to_jsonb(r.*) - omitted
    from new_rows r;
  elsif tg_op = 'DELETE' then
    if is_cascade then
      select a.attname into tree_column from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey) and a.attname <> 'user_id'
      where c.contype = 'f' and c.confdeltype = 'c' and c.conrelid = tg_relid and c.confrelid = tg_relid;
    end if;
    insert into journal (change, step, line, user_id, table_name, row_id, operation, cascade, version, before)
    select (select app.open_change()), (select nextval('app.journal_step')), row_number() over (), d.user_id, tg_table_name, d.id,
      'D', is_cascade and (tree_column is null or coalesce((d.image ->> tree_column)::uuid in (select p.id from old_rows p), false)),
      d.version, d.image
    from (select r.user_id, r.id, r.version, to_jsonb(r.*) - generated as image from old_rows r) d;
  elsif row_count = 1 then
    select n.user_id, n.id, n.version, d.before, d.after into edit
    from (select to_jsonb(r.*) - omitted as image from old_rows r offset 0) o
    cross join (select r.user_id, r.id, r.version, to_jsonb(r.*) - omitted as image from new_rows r offset 0) n
    cross join lateral (
      select jsonb_object_agg(k.key, k.value) as before, jsonb_object_agg(k.key, n.image -> k.key) as after
      from jsonb_each(o.image) k where k.value is distinct from n.image -> k.key
    ) d;
    if edit.after is null then return null; end if;
    insert into journal (change, step, line, user_id, table_name, row_id, operation, cascade, version, before, after)
    values (app.open_change(), nextval('app.journal_step'), 1, edit.user_id, tg_table_name, edit.id, 'U', is_cascade, edit.version,
      edit.before, edit.after);
  else
    perform set_config('enable_nestloop', 'off', true); -- a plan for one row would pair 100,000 rows for minutes
    insert into journal (change, step, line, user_id, table_name, row_id, operation, cascade, version, before, after)
    select (select app.open_change()), (select nextval('app.journal_step')), o.line, o.user_id, tg_table_name, o.id,
      'U', is_cascade, n.version, d.before, d.after
    from (select row_number() over () as line, r.user_id, r.id, to_jsonb(r.*) - omitted as image from old_rows r) o
    join (select row_number() over () as line, r.version, to_jsonb(r.*) - omitted as image from new_rows r) n using (line)
    cross join lateral (
      select jsonb_object_agg(k.key, k.value) as before, jsonb_object_agg(k.key, n.image -> k.key) as after
      from jsonb_each(o.image) k where k.value is distinct from n.image -> k.key
    ) d
    where d.after is not null;
    perform set_config('enable_nestloop', 'on', true);
  end if;
  return null;
end $$;
