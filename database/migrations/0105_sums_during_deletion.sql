-- The sums of all accounts are stored together. An account that is being deleted is left out, because the statement would wait for the end
-- of its deletion, with locks on the sums of the others.
create or replace function app.add_record_use(owners uuid[], added bigint[]) returns table (owner uuid, bytes bigint)
language sql set search_path = public, pg_temp as $$
  insert into record_use as r (user_id, id, bytes)
  select u.id, u.id, a.bytes from unnest(owners, added) a (owner, bytes) join users u on u.id = a.owner order by u.id
  for key share of u skip locked
  on conflict (user_id, id) do update set bytes = r.bytes + excluded.bytes
  returning r.user_id, r.bytes $$;
