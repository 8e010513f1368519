-- Deletes an account that has API keys or webhooks: their deletes are not announced when the account itself is deleted, because there is
-- nobody left who could see the announcement, and a row of an account that is gone is refused.
create or replace function app.publish_writes() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from unjournaled_writes where user_id in (select user_id from new_rows) and id < app.uuid_floor(now() - interval '10 minutes');
  insert into unjournaled_writes (user_id, table_name) select distinct user_id, tg_table_name from new_rows
  where tg_op <> 'DELETE' or exists (select from users where users.id = new_rows.user_id);
  return null;
end $$;
