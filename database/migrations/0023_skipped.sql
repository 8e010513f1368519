-- Plain names: what an undo left as it is are skipped rows, and what migrations did to columns of the journal are column changes.
-- (`app.journal_drift` of older comments is `app.column_changes` now.)
alter table changesets rename column kept to skipped;

drop function app.close_undo(jsonb);
-- Stores on the undo's change set which rows it left as they are.
create function app.close_undo(skipped_rows jsonb) returns void
  language sql security definer set search_path = public, pg_temp as $$
  update changesets set skipped = skipped_rows where id = app.current_change() and user_id = app.owner() $$;
grant execute on function app.close_undo(jsonb) to foyer_app;

-- What migrations did to journaled columns: renamed (`new_name`), dropped (neither), added as required (`default_value`).
alter table app.journal_drift rename to column_changes;
alter table app.column_changes rename column became to new_name;
alter table app.column_changes rename column fill to default_value;

-- An image as the table would hold it today.
create or replace function app.image_now(change uuid, image_table text, image jsonb) returns jsonb language plpgsql stable as $$
declare
  moved record;
begin
  for moved in
    select * from app.column_changes c where c.table_name = image_table and change < app.uuid_floor(c.at) order by c.at
  loop
    if moved.default_value is not null then
      image := jsonb_build_object(moved.column_name, moved.default_value) || image;
    elsif image ? moved.column_name then
      image := (image - moved.column_name)
        || case when moved.new_name is null then '{}' else jsonb_build_object(moved.new_name, image -> moved.column_name) end;
    end if;
  end loop;
  return image;
end $$;
