-- Old rows that another transaction is deleting are skipped. To wait for it could end in a deadlock, because the other transaction may need a
-- record that this one has locked: two bookings of one owner, for example.
create or replace function app.publish_writes() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from unjournaled_writes where (user_id, id) in (
    select w.user_id, w.id from unjournaled_writes w
    where w.user_id in (select user_id from new_rows) and w.id < app.uuid_floor(now() - interval '10 minutes')
    for update skip locked
  );
  insert into unjournaled_writes (user_id, table_name) select distinct user_id, tg_table_name from new_rows
  where tg_op <> 'DELETE' or exists (select from users where users.id = new_rows.user_id);
  return null;
end $$;
