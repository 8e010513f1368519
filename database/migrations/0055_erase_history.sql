-- Erases an owner's whole history for good: the values of all earlier changes, with the trash.

-- Erases the next change sets after `after_change` and before `until`. Returns the last one, or null at the end. The updates of the last day keep the
-- names of their columns, because a form that is still open must find out that somebody else changed them.
create function app.erase_history(until uuid, after_change uuid, max_changes int) returns uuid
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me uuid := app.owner();
  last_day uuid := app.uuid_floor(now() - interval '1 day');
  erased uuid[];
begin
  erased := array(
    select found.id from (
      (select c.id from changesets c where c.user_id = me and c.group_id is null and c.id > after_change and c.id < until order by c.id limit max_changes)
      union all
      (select c.id from changesets c where c.user_id = me and c.group_id is not null and c.id > after_change and c.id < until order by c.id limit max_changes)
    ) found order by found.id limit max_changes);
  update journal j set before = null, after = null, columns = coalesce(j.columns, array(select jsonb_object_keys(j.after)))
    where j.change = any (erased) and j.operation = 'U' and j.change >= last_day;
  delete from journal j where j.change = any (erased) and not (j.operation = 'U' and j.change >= last_day);
  insert into app.journal_erasures (user_id) values (me); -- a purge may be copying a partition
  perform set_config('app.written_bytes', '0', true); -- app.finish_erasing_history measures what is left
  return erased[cardinality(erased)];
end $$;

-- The owner's changes with smaller ids were erased.
alter table record_use add column erased_before uuid;

-- Ends the erasing: open screens learn of it, and the space is measured.
create function app.finish_erasing_history(until uuid) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform app.open_change();
  perform app.correct_record_use(app.owner());
  update record_use set erased_before = until where user_id = app.owner();
end $$;
grant execute on function app.erase_history(uuid, uuid, int), app.finish_erasing_history(uuid) to foyer_app;

-- As in 0031, but a change whose values were erased with the history has nothing left to undo.
create or replace function app.open_undo(target uuid, out change uuid, out is_group boolean, out refusal text) returns record language plpgsql security definer set search_path = public, pg_temp as $$
declare
  undone changesets;
  work text;
  broken text;
  groups uuid[];
begin
  select * into undone from changesets c where c.id = target and c.user_id = app.owner();
  refusal := case
    when undone.id is null then 'not_found'
    when undone.at < now() - app.undo_window() then 'too_old'
    when target < (select u.erased_before from record_use u where u.user_id = app.owner()) then 'nothing_left'
    when exists (select from journal j where j.change = target and j.before is null and j.after is null) then 'too_old'
  end;
  if refusal is not null then return; end if;
  with recursive below as (
    select undone.label, undone.undo_of
    union all
    select c.label, c.undo_of from below b join changesets c on c.id = b.undo_of
  )
  select b.label into work from below b where b.undo_of is null;
  change := app.insert_change(case undone.undo_depth % 2 when 0 then 'Undone: ' else 'Redone: ' end || work, target, undone.undo_depth + 1);
  update change_groups g set finished_at = coalesce(g.finished_at, now()) where g.user_id = app.owner() and g.id = target;
  is_group := found;
  if is_group then
    -- while the undo or redo below a group was interrupted, what it should have undone is added
    with recursive undone_group as (
      select target as id, undone.undo_of as below
      union all
      select c.id, c.undo_of from undone_group u
        join change_groups interrupted on interrupted.user_id = app.owner() and interrupted.id = u.below and interrupted.done < interrupted.total
        join changesets i on i.id = interrupted.id
        join changesets c on c.id = i.undo_of
    )
    select array_agg(u.id) into groups from undone_group u;
    insert into change_groups (user_id, id, undone_groups, total)
      select app.owner(), change, groups, count(*) from changesets m where m.user_id = app.owner() and m.group_id = any (groups)
        and (cardinality(groups) = 1 or not app.has_later_member(m.id, groups));
  end if;
exception when unique_violation then
  get stacked diagnostics broken = constraint_name;
  if broken <> 'changesets_undo_of' then raise; end if;
  update changesets c set request_key = coalesce(nullif(current_setting('app.request_key', true), ''), c.request_key),
    request_hash = coalesce(nullif(current_setting('app.request_hash', true), ''), c.request_hash)
  from change_groups g
  where c.user_id = app.owner() and c.undo_of = target and g.user_id = c.user_id and g.id = c.id and g.finished_at is null
    and jobs.has_failed(c.id::text)
  returning c.id into change;
  is_group := change is not null;
  if is_group then
    perform set_config('app.change', change::text, true);
  else
    refusal := 'already_undone';
  end if;
end $$;
