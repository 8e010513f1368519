-- Makes the check for a folder inside itself read few rows. A plan from the time when a user had few folders read all folders for each new
-- one, so that 10,000 of them took minutes.
create or replace function app.refuse_folder_cycle() returns trigger language plpgsql
set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('folders ' || new.user_id::text, 0));
  -- a folder without folders in it, such as a new one, is in no cycle
  if not exists (select from folders f where f.user_id = new.user_id and f.parent_folder_id = new.id) then
    return null;
  end if;
  -- the subquery looks up one folder by its key, while a join might read all of them
  if exists (
    with recursive above as (
      select parent_folder_id as id from folders where user_id = new.user_id and id = new.id
      union
      select (select f.parent_folder_id from folders f where f.user_id = new.user_id and f.id = above.id) from above where above.id is not null
    )
    select from above where id = new.id
  ) then
    raise exception using errcode = 'check_violation', constraint = 'folders_cycle', message = 'A folder is inside itself';
  end if;
  return null;
end $$;
