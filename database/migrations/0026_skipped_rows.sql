-- What an undo skipped: one row each, so that a long list is counted and read in pages. (Not a journaled column of app.column_changes.)
create table skipped_rows (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  -- the change set of the undo
  change_id uuid not null,
  table_name text not null,
  row_id uuid not null,
  why text not null,
  columns text[],
  primary key (user_id, id)
);
create index skipped_rows_change on skipped_rows (user_id, change_id, id);
select app.set_up_owned_table('skipped_rows');

alter table changesets add column skipped_counts jsonb not null default '{}';
insert into skipped_rows (user_id, change_id, table_name, row_id, why, columns)
  select c.user_id, c.id, s.entry ->> 'table', (s.entry ->> 'id')::uuid, s.entry ->> 'why',
    case when s.entry ? 'columns' then array(select jsonb_array_elements_text(s.entry -> 'columns')) end
  from changesets c cross join lateral jsonb_array_elements(c.skipped) with ordinality s (entry, place)
  where c.skipped <> '[]' order by c.id, s.place;
update changesets c set skipped_counts = counted.counts
  from (
    select change_id, jsonb_object_agg(why, count) as counts
    from (select change_id, why, count(*) from skipped_rows group by change_id, why) by_reason group by change_id
  ) counted
  where c.id = counted.change_id;

drop function app.close_undo(jsonb);
alter table changesets drop column skipped;

-- Stores on the undo's change set how many rows it skipped, by reason.
create function app.count_skipped_rows() returns void
  language sql security definer set search_path = public, pg_temp as $$
  update changesets c set skipped_counts = (
    select coalesce(jsonb_object_agg(why, count), '{}')
    from (select why, count(*) from skipped_rows where user_id = app.owner() and change_id = c.id group by why) by_reason
  )
  where id = app.current_change() and user_id = app.owner() $$;
grant execute on function app.count_skipped_rows() to foyer_app;
