-- Keys with which other programs call the API. They are not journaled: an undo must not bring back a deleted key.
create table api_keys (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  name text not null,
  -- SHA-256 of the key, in hexadecimal digits
  key_hash text not null unique,
  -- the first 12 characters of the key
  key_prefix text not null,
  scopes text[] not null,
  is_active boolean not null default true,
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  primary key (user_id, id)
);
select app.set_up_owned_table('api_keys');
create trigger publish_added after insert on api_keys referencing new table as new_rows
  for each statement execute function app.publish_writes();
create trigger publish_edited after update on api_keys referencing new table as new_rows
  for each statement execute function app.publish_writes();
create trigger publish_deleted after delete on api_keys referencing old table as new_rows
  for each statement execute function app.publish_writes();

-- Finds the owner of a key, before there is an owner.
create function app.api_key_by_hash(hash text, at timestamptz)
  returns table (id uuid, user_id uuid, scopes text[], last_used_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp as $$
  select k.id, k.user_id, k.scopes, k.last_used_at from api_keys k
  where k.key_hash = hash and k.is_active and (k.expires_at is null or k.expires_at > at) $$;
grant execute on function app.api_key_by_hash(text, timestamptz) to foyer_app;
