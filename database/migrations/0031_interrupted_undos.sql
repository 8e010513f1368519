-- The undo of a group continues what interrupted undos and redos before it left. A redo that ends a running undo repeats only what that undo
-- had done, so the undo of this redo undoes the members of the redo and the remaining members of the original group.
alter table change_groups add column undone_groups uuid[];
comment on column change_groups.undone_groups is 'of an undo: the groups whose members it undoes';
update change_groups g set undone_groups = array[u.undo_of] from changesets u where u.id = g.id and u.undo_of is not null;

-- Whether one of the groups also has a later undo or redo of this change set as a member.
create function app.has_later_member(earlier uuid, groups uuid[]) returns boolean language sql stable as $$
  with recursive later as (
    select c.id, c.group_id from public.changesets c where c.undo_of = earlier
    union all
    select c.id, c.group_id from later l join public.changesets c on c.undo_of = l.id
  )
  select exists (select from later where group_id = any (groups)) $$;
grant execute on function app.has_later_member(uuid, uuid[]) to foyer_app;

-- A job that was added again after its failure has not failed.
create or replace function jobs.has_failed(failed_key text) returns boolean
  language sql stable security definer set search_path = jobs, pg_temp as $$
  select exists (select from jobs.jobs job where job.owner = app.owner() and job.key = failed_key and job.failed_at is not null)
    and not exists (select from jobs.jobs job where job.owner = app.owner() and job.key = failed_key and job.failed_at is null) $$;

-- Opens the change set that undoes `target`, as the first change of its transaction, labelled with the original change. If two transactions
-- undo the same change set, one waits for the other. The undo of a group is a group, which its job fills; the undone group is finished by
-- it. If the job of an earlier undo of the group has failed, returns that undo, so that a new job continues it.
create or replace function app.open_undo(target uuid, out change uuid, out is_group boolean, out refusal text)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  undone changesets;
  work text;
  broken text;
  groups uuid[];
begin
  select * into undone from changesets c where c.id = target and c.user_id = app.owner();
  refusal := case
    when undone.id is null then 'not_found'
    when undone.at < now() - app.undo_window()
      or exists (select from journal j where j.change = target and j.before is null and j.after is null) then 'too_old'
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
