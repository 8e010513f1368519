-- The journal: every change of an owned row, written by the database itself in the same transaction, and the ground that undo stands on.

-- A change set: one thing that an actor did, which is one transaction.
create table changesets (
  id uuid primary key default uuidv7(),
  user_id uuid not null,
  actor text not null,
  label text not null default '',
  at timestamptz not null default now(),
  -- null for history that was brought in from another cluster
  xid xid8 default pg_current_xact_id() constraint changesets_xid unique,
  undo_of uuid,
  -- how many undos stand one upon the other: none is work of its own, an odd number an undo, an even one a redo
  undo_depth int not null default 0,
  -- the change set that had taken what a restore brought back
  restore_of uuid,
  kept jsonb not null default '[]',
  request_key text,
  request_hash text
);
create unique index changesets_undo_of on changesets (undo_of) where undo_of is not null;
create unique index changesets_request_key on changesets (user_id, request_key) where request_key is not null;
create index changesets_owner on changesets (user_id, id);

-- `step` is one statement and orders the history of every row, because it is drawn after the row's lock is held; `line` is a row of it.
-- `operation` is I, U or D; `version` is the row's after it (of a deleted row the last). After 30 days `before` and `after` go,
-- and of an update the names in `columns` stay.
create table journal (
  change uuid not null,
  step bigint not null,
  line int not null,
  user_id uuid not null,
  table_name text not null,
  row_id uuid not null,
  operation "char" not null,
  cascade boolean not null,
  version int not null,
  before jsonb,
  after jsonb,
  columns text[],
  primary key (change, step, line)
) partition by range (change);
create table journal_default partition of journal default;
create index journal_row on journal (row_id, step);
create index journal_deleted on journal (user_id, cascade, change, step, line) where operation = 'D';
create sequence app.journal_step;

alter table changesets enable row level security;
alter table journal enable row level security;
create policy own on changesets for select using (user_id = app.owner());
create policy own on journal for select using (user_id = app.owner());
grant select on changesets, journal to foyer_app;

-- Owners whose account is being deleted by the transaction that looks: what falls with it is not journaled.
create table app.erasing (user_id uuid primary key);

-- How long what was changed can come back.
create function app.undo_window() returns interval language sql immutable parallel safe
  return interval '30 days';

-- A month each, three months ahead; a month that rows have gone into the default partition for stays there.
create function app.make_journal_partitions() returns void language plpgsql set timezone = 'UTC' as $$
declare
  month timestamptz := date_trunc('month', now());
  low uuid;
  high uuid;
begin
  perform pg_advisory_xact_lock(hashtext('journal partitions'));
  for ahead in 0..3 loop
    low := app.uuid_floor(month);
    high := app.uuid_floor(month + interval '1 month');
    if to_regclass('public.journal_' || to_char(month, 'YYYYMM')) is null
      and not exists (select from public.journal_default where change >= low and change < high) then
      execute format('create table public.journal_%s partition of public.journal for values from (%L) to (%L)', to_char(month, 'YYYYMM'), low, high);
    end if;
    month := month + interval '1 month';
  end loop;
end $$;
select app.make_journal_partitions();

create function app.insert_change(label text, undo_of uuid default null, undo_depth int default 0, restore_of uuid default null) returns uuid
  language sql security definer set search_path = public, pg_temp as $$
  insert into changesets (user_id, actor, label, undo_of, undo_depth, restore_of, request_key, request_hash)
  values (app.owner(), current_setting('app.actor'), coalesce(label, ''), undo_of, undo_depth, restore_of,
    nullif(current_setting('app.request_key', true), ''), nullif(current_setting('app.request_hash', true), ''))
  returning id $$;

-- The change set that this transaction has opened; null when it has written nothing.
create function app.current_change() returns uuid
  language sql stable security definer set search_path = public, pg_temp as $$
  select id from changesets where xid = pg_current_xact_id_if_assigned() and at = now() $$;

create function app.open_change() returns uuid
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  open changesets;
begin
  select * into open from changesets where xid = pg_current_xact_id() and at = now();
  if open.user_id <> app.owner() then raise exception 'A transaction changes rows of one owner only'; end if;
  return coalesce(open.id, app.insert_change(current_setting('app.label', true)));
end $$;

-- A better label, once the work knows what it did.
create function app.relabel(text) returns void
  language sql security definer set search_path = public, pg_temp as $$
  select set_config('app.label', $1, true);
  update changesets set label = $1 where id = app.current_change() $$;

-- First argument: direct or cascade; the others: generated columns, which are never journaled. `version` and `updated_at` only grow,
-- so only the image of a deleted row has them. Old and new rows are paired by position, because the actions of several foreign keys
-- may change a row twice in one table of transition. Images are text of the settings below. Nested loops are off because the plan
-- that was cached for one row would pair the next hundred thousand for minutes.
create function app.write_journal() returns trigger language plpgsql security definer
  set search_path = public, pg_temp set timezone = 'UTC' set intervalstyle = 'iso_8601' set bytea_output = 'hex' set enable_nestloop = off as $$
declare
  falls boolean := tg_argv[0] = 'cascade';
  generated text[] := tg_argv[1:];
  grown text[] := generated || '{updated_at,version}'::text[];
  own boolean;
begin
  if tg_op = 'INSERT' then
    select bool_and(user_id = app.owner()) into own from new_rows;
  else
    select bool_and(user_id = app.owner()) into own from old_rows;
  end if;
  if own is null then return null; end if; -- a statement without rows
  if falls and exists (select from app.erasing) then return null; end if;
  if not own then raise exception 'A transaction changes rows of one owner only'; end if;

  -- the change set and the step are made by the first line, so that an update that changes nothing makes none
  if tg_op = 'INSERT' then
    insert into journal (change, step, line, user_id, table_name, row_id, operation, cascade, version, after)
    select (select app.open_change()), (select nextval('app.journal_step')), row_number() over (), r.user_id, tg_table_name, r.id,
      'I', falls, r.version, to_jsonb(r) - grown
    from new_rows r;
  elsif tg_op = 'DELETE' then
    insert into journal (change, step, line, user_id, table_name, row_id, operation, cascade, version, before)
    select (select app.open_change()), (select nextval('app.journal_step')), row_number() over (), r.user_id, tg_table_name, r.id,
      'D', falls, r.version, to_jsonb(r) - generated
    from old_rows r;
  else
    insert into journal (change, step, line, user_id, table_name, row_id, operation, cascade, version, before, after)
    select (select app.open_change()), (select nextval('app.journal_step')), o.line, o.user_id, tg_table_name, o.id,
      'U', falls, w.version, d.before, d.after
    from (select row_number() over () as line, r.user_id, r.id, to_jsonb(r) - grown as image from old_rows r) o
    join (select row_number() over () as line, r.version, to_jsonb(r) - grown as image from new_rows r) w using (line)
    cross join lateral (
      select jsonb_object_agg(k.key, k.value) as before, jsonb_object_agg(k.key, w.image -> k.key) as after
      from jsonb_each(o.image) k where k.value is distinct from w.image -> k.key
    ) d
    where d.after is not null;
  end if;
  return null;
end $$;

-- Journals a table; called again when its generated columns change. Actions of foreign keys run as the owner of the tables, which
-- tells what fell by cascade; migrations and bookkeeping, where the owner itself is signed in, are not journaled.
create function app.attach_journal(owned regclass) returns void language plpgsql as $$
declare
  generated text := (select coalesce(string_agg(', ' || quote_literal(attname), '' order by attnum), '')
    from pg_attribute where attrelid = owned and attgenerated <> '' and not attisdropped);
  kind text;
  condition text;
  operation text;
  tables text;
begin
  for kind, condition in values
    ('direct', $w$current_user = 'foyer_app'$w$),
    ('cascade', $w$current_user <> 'foyer_app' and session_user = 'foyer_app'$w$)
  loop
    for operation, tables in values
      ('insert', 'new table as new_rows'),
      ('update', 'old table as old_rows new table as new_rows'),
      ('delete', 'old table as old_rows')
    loop
      execute format(
        'create or replace trigger journal_%1$s_%2$s after %1$s on %3$s referencing %4$s for each statement when (%5$s) execute function app.write_journal(%2$L%6$s)',
        operation, kind, owned, tables, condition, generated);
    end loop;
  end loop;
end $$;

-- Of our schema only: what the owner's functions do to a journaled table they must not do to a temporary one that the caller made.
create view app.journaled_tables as
  select t.oid, t.relname::text as name from pg_class t
  where t.relnamespace = 'public'::regnamespace
    and exists (select from pg_trigger g where g.tgrelid = t.oid and g.tgname = 'journal_delete_direct');

-- Which column of a journaled table holds the id of a row of another (or the same), and whether that row takes it along.
create view app.journal_links as
  select child.name as child, parent.name as parent, a.attname::text as column_name, a.attnotnull as required, c.confdeltype = 'c' as cascades
  from pg_constraint c
  join app.journaled_tables child on child.oid = c.conrelid
  join app.journaled_tables parent on parent.oid = c.confrelid
  join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey) and a.attname <> 'user_id'
  where c.contype = 'f';
grant select on app.journaled_tables, app.journal_links to foyer_app;

-- What migrations did to journaled columns: renamed (`became`), dropped (neither), added as required (`fill`).
create table app.journal_drift (
  table_name text not null,
  column_name text not null,
  at timestamptz not null default now(),
  became text,
  fill jsonb
);
grant select on app.journal_drift to foyer_app;

-- An image as the table would hold it today.
create function app.image_now(change uuid, image_table text, image jsonb) returns jsonb language plpgsql stable as $$
declare
  drift record;
begin
  for drift in
    select * from app.journal_drift d where d.table_name = image_table and change < app.uuid_floor(d.at) order by d.at
  loop
    if drift.fill is not null then
      image := jsonb_build_object(drift.column_name, drift.fill) || image;
    elsif image ? drift.column_name then
      image := (image - drift.column_name)
        || case when drift.became is null then '{}' else jsonb_build_object(drift.became, image -> drift.column_name) end;
    end if;
  end loop;
  return image;
end $$;

create aggregate app.merge_images(jsonb) (sfunc = jsonb_concat, stype = jsonb, initcond = '{}');

-- Opens the change set that undoes `target`, as the first change of its transaction, under the label of the work at the bottom of it.
-- Of two at once one waits for the other.
create function app.open_undo(target uuid, out change uuid, out refusal text)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  done changesets;
  work text;
  broken text;
begin
  select * into done from changesets c where c.id = target and c.user_id = app.owner();
  refusal := case
    when done.id is null then 'not_found'
    when done.at < now() - app.undo_window()
      or exists (select from journal j where j.change = target and j.before is null and j.after is null) then 'too_old'
  end;
  if refusal is not null then return; end if;
  with recursive below as (
    select done.label, done.undo_of
    union all
    select c.label, c.undo_of from below b join changesets c on c.id = b.undo_of
  )
  select b.label into work from below b where b.undo_of is null;
  change := app.insert_change(case done.undo_depth % 2 when 0 then 'Undone: ' else 'Redone: ' end || work, target, done.undo_depth + 1);
exception when unique_violation then
  get stacked diagnostics broken = constraint_name;
  if broken <> 'changesets_undo_of' then raise; end if;
  refusal := 'already_undone';
end $$;

-- Opens the change set that brings a deleted row back; `source` is the one that took it.
create function app.open_restore(target uuid, out change uuid, out source uuid, out refusal text)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  last journal;
begin
  perform pg_advisory_xact_lock(hashtextextended(app.owner()::text || target::text, 0));
  select * into last from journal j where j.user_id = app.owner() and j.row_id = target order by j.step desc, j.line desc limit 1;
  refusal := case
    when last.operation is distinct from 'D' then 'not_found'
    when last.change < app.uuid_floor(now() - app.undo_window()) or last.before is null then 'too_old'
  end;
  if refusal is not null then return; end if;
  source := last.change;
  change := app.insert_change(current_setting('app.label', true), restore_of => source);
end $$;

-- Notes on the undo's change set what it left as it is.
create function app.close_undo(list jsonb) returns void
  language sql security definer set search_path = public, pg_temp as $$
  update changesets set kept = list where id = app.current_change() and user_id = app.owner() $$;

-- Runs a statement with the caller's own rights; false when values stand in each other's way, and then nothing was done.
create function app.attempt(statement text, columns text[]) returns boolean language plpgsql as $$
begin
  execute statement using columns;
  return true;
exception when unique_violation or exclusion_violation then
  return false;
end $$;

grant execute on function app.undo_window(), app.current_change(), app.relabel(text), app.image_now(uuid, text, jsonb),
  app.merge_images(jsonb), app.open_undo(uuid), app.open_restore(uuid), app.close_undo(jsonb), app.attempt(text, text[]) to foyer_app;
