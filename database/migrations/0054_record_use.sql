-- Counts the bytes of each owner's records and their history, so that one account cannot fill the disk.
create table record_use (
  user_id uuid not null default app.owner() references users on delete cascade,
  -- the owner's id, because an owner has one row
  id uuid not null check (id = user_id),
  bytes bigint not null,
  primary key (user_id, id)
);
select app.set_up_owned_table('record_use');

-- The space that a line of the journal needs besides its values, with its entries in indexes.
create function app.line_bytes() returns int language sql immutable parallel safe return 250;

-- Adds to the bytes that the transaction has written, and returns their sum, which the application adds to `record_use`. Refuses limited writes
-- while the disk is full, and above the quota in the setting app.record_quota. The setting app.space is `full`, `low`, or what is left of the
-- quota; if it is empty, that is looked up. An undo may use a tenth more, so that a last delete can be taken back. Function calls are
-- assigned and not performed, because PERFORM costs as much as a small statement.
create function app.count_written(added bigint, is_limited boolean) returns bigint language plpgsql as $$
declare
  space text := coalesce(current_setting('app.space', true), '');
  written bigint := coalesce(nullif(current_setting('app.written_bytes', true), ''), '0')::bigint + added;
  quota bigint;
  space_left bigint;
begin
  if is_limited then
    if space = 'full' then raise exception using errcode = 'FY002', message = 'The disk is full'; end if;
    if space = '' or space = 'low' then
      if space = 'low' and current_setting('app.is_undo', true) = 'on' then raise exception using errcode = 'FY003', message = 'The disk is nearly full'; end if;
      quota := nullif(current_setting('app.record_quota', true), '')::bigint;
      space_left := quota - coalesce((select u.bytes from public.record_use u where u.user_id = app.owner()), 0);
    else
      space_left := space::bigint;
    end if;
    if written > space_left then
      quota := current_setting('app.record_quota')::bigint;
      if written > space_left + quota / 10 or current_setting('app.is_undo', true) is distinct from 'on' then
        raise exception using errcode = 'FY001', message = 'The records and their history need too much space';
      end if;
    end if;
  end if;
  return set_config('app.written_bytes', written::text, true)::bigint;
end $$;

-- As in 0034, and counts the bytes. An inserted or updated value is counted twice, in its row and in the journal; a deleted row moves to the
-- journal. Deletes, and what foreign keys do by cascade, are not limited.
create or replace function app.write_journal() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  is_cascade boolean := tg_argv[0] = 'cascade';
  generated text[] := tg_argv[1:];
  omitted text[] := generated || '{updated_at,version}'::text[];
  row_count bigint;
  is_own boolean;
  value_bytes bigint := 0;
  written bigint;
  -- the column of a link from a row to its parent in the same table, with which it is deleted
  tree_column text;
  edit record;
begin
  if tg_op = 'INSERT' then
    select count(*), bool_and(user_id = app.owner()), sum(pg_column_size(r.*)) into row_count, is_own, value_bytes from new_rows r;
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
    value_bytes := pg_column_size(edit.after);
    insert into journal (change, step, line, user_id, table_name, row_id, operation, cascade, version, before, after)
    values (app.open_change(), nextval('app.journal_step'), 1, edit.user_id, tg_table_name, edit.id, 'U', is_cascade, edit.version,
      edit.before, edit.after);
  else
    perform set_config('enable_nestloop', 'off', true); -- a plan for one row would pair 100,000 rows for minutes
    with lines as (
      insert into journal as added (change, step, line, user_id, table_name, row_id, operation, cascade, version, before, after)
      select (select app.open_change()), (select nextval('app.journal_step')), o.line, o.user_id, tg_table_name, o.id,
        'U', is_cascade, n.version, d.before, d.after
      from (select row_number() over () as line, r.user_id, r.id, to_jsonb(r.*) - omitted as image from old_rows r) o
      join (select row_number() over () as line, r.version, to_jsonb(r.*) - omitted as image from new_rows r) n using (line)
      cross join lateral (
        select jsonb_object_agg(k.key, k.value) as before, jsonb_object_agg(k.key, n.image -> k.key) as after
        from jsonb_each(o.image) k where k.value is distinct from n.image -> k.key
      ) d
      where d.after is not null
      returning pg_column_size(added.after) as bytes
    )
    select count(*), coalesce(sum(lines.bytes), 0) into row_count, value_bytes from lines;
    perform set_config('enable_nestloop', 'on', true);
  end if;
  written := app.count_written(2 * value_bytes + app.line_bytes() * row_count, tg_op <> 'DELETE' and not is_cascade);
  return null;
end $$;

-- Erased lines no longer count.
create function app.count_erased_lines() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform app.count_written(-coalesce((
    select sum(coalesce(pg_column_size(o.before), 0) + coalesce(pg_column_size(o.after), 0) + app.line_bytes())::bigint
    from old_rows o where o.user_id = app.owner()), 0), false);
  return null;
end $$;
create trigger count_erased_lines after delete on journal referencing old table as old_rows
  for each statement execute function app.count_erased_lines();

-- Measures the rows and the journal of an owner, or of all owners, as they are stored. An owner has one result for each table.
create function app.measure_records(only_owner uuid) returns table (owner uuid, bytes bigint) language plpgsql stable as $$
declare
  measured record;
begin
  for measured in
    select t.name, string_agg(format('coalesce(pg_column_size(r.%I), 0)', a.attname), ' + ' order by a.attnum) as row_bytes
    from app.journaled_tables t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped group by t.name
  loop
    return query execute format('select r.user_id, sum(%s)::bigint from public.%I r %s group by r.user_id', measured.row_bytes, measured.name,
      case when only_owner is not null then 'where r.user_id = $1' end) using only_owner;
  end loop;
  if only_owner is null then
    return query select j.user_id, sum(coalesce(pg_column_size(j.before), 0) + coalesce(pg_column_size(j.after), 0) + app.line_bytes())::bigint
      from public.journal j group by j.user_id;
  else
    return query select j.user_id, sum(coalesce(pg_column_size(j.before), 0) + coalesce(pg_column_size(j.after), 0) + app.line_bytes())::bigint
      from public.changesets c join public.journal j on j.change = c.id where c.user_id = only_owner group by j.user_id;
  end if;
end $$;

-- Corrects the bytes of an owner, or of all owners. The order of the owners prevents a deadlock of two statements.
create function app.correct_record_use(only_owner uuid default null) returns void language sql set search_path = public, pg_temp as $$
  insert into record_use (user_id, id, bytes)
  select u.id, u.id, coalesce(sum(m.bytes), 0) from users u left join app.measure_records(only_owner) m on m.owner = u.id
  where only_owner is null or u.id = only_owner group by u.id order by u.id
  on conflict (user_id, id) do update set bytes = excluded.bytes where record_use.bytes <> excluded.bytes $$;

-- Adds the bytes that transactions of these owners have written, and returns their new sums. Accounts that were deleted meanwhile are left out.
create function app.add_record_use(owners uuid[], added bigint[]) returns table (owner uuid, bytes bigint) language sql
set search_path = public, pg_temp as $$
  insert into record_use as r (user_id, id, bytes)
  select u.id, u.id, a.bytes from unnest(owners, added) a (owner, bytes) join users u on u.id = a.owner order by u.id
  on conflict (user_id, id) do update set bytes = r.bytes + excluded.bytes
  returning r.user_id, r.bytes $$;
