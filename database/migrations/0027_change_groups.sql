-- Changes in groups: many transactions of one job are one change of the history, with one undo and one redo. An empty change set stands for
-- the group and has a row here; the change sets of its transactions name it.
create table change_groups (
  user_id uuid not null default app.owner() references users on delete cascade,
  -- the change set that stands for the group
  id uuid not null,
  -- progress, in whatever the job counts
  done int not null default 0,
  total int,
  -- rows that its transactions wrote directly
  row_count int not null default 0,
  -- of an undo: the change set of the undone group that it handled last, from the newest to the oldest
  undo_position uuid,
  -- no transaction joins a finished group
  finished_at timestamptz,
  primary key (user_id, id)
);
select app.set_up_owned_table('change_groups');

alter table changesets add column group_id uuid;
drop index changesets_owner;
create index changesets_owner on changesets (user_id, id) where group_id is null;
create index changesets_group on changesets (user_id, group_id, id) where group_id is not null;

-- Opens a group under the label of its transaction, which writes nothing else that is journaled.
create function app.open_group(total int) returns uuid
  language sql security definer set search_path = public, pg_temp as $$
  insert into change_groups (user_id, id, total) values (app.owner(), app.open_change(), open_group.total) returning id $$;

-- Adds the change set of this transaction to a group, and `steps` to its progress. False when the group is finished. Called last, because
-- it locks the group.
create function app.join_group(joined uuid, steps int) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  own_change uuid := app.current_change();
begin
  update change_groups g set done = g.done + steps,
    row_count = g.row_count + (select count(*) from journal j where j.change = own_change and not j.cascade)
  where g.user_id = app.owner() and g.id = joined and g.finished_at is null;
  if not found then return false; end if;
  update changesets set group_id = joined where id = own_change;
  return true;
end $$;

-- Stores on a change set of the owner how many rows it skipped, by reason.
drop function app.count_skipped_rows();
create function app.count_skipped_rows(counted uuid) returns void
  language sql security definer set search_path = public, pg_temp as $$
  update changesets c set skipped_counts = (
    select coalesce(jsonb_object_agg(why, count), '{}')
    from (select why, count(*) from skipped_rows where user_id = app.owner() and change_id = counted group by why) by_reason
  )
  where id = counted and user_id = app.owner() $$;

-- Finishes a group, under a better label where there is one.
create function app.close_group(closed uuid, better_label text) returns void
  language sql security definer set search_path = public, pg_temp as $$
  update change_groups set finished_at = now() where user_id = app.owner() and id = closed and finished_at is null;
  update changesets set label = better_label where user_id = app.owner() and id = closed and better_label is not null;
  select app.count_skipped_rows(closed) $$;

-- Opens the change set that undoes `target`, as the first change of its transaction, under the label of the work at the bottom of it.
-- Of two at once one waits for the other. The undo of a group is a group, which its job fills; the undone group is finished by it.
drop function app.open_undo(uuid);
create function app.open_undo(target uuid, out change uuid, out is_group boolean, out refusal text)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  undone changesets;
  work text;
  broken text;
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
    insert into change_groups (user_id, id, total)
      select app.owner(), change, count(*) from changesets m where m.user_id = app.owner() and m.group_id = target;
  end if;
exception when unique_violation then
  get stacked diagnostics broken = constraint_name;
  if broken <> 'changesets_undo_of' then raise; end if;
  refusal := 'already_undone';
end $$;

grant execute on function app.open_group(int), app.join_group(uuid, int), app.count_skipped_rows(uuid), app.close_group(uuid, text),
  app.open_undo(uuid) to foyer_app;
