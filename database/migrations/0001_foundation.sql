-- The ground of every table: extensions, the owner of the transaction, folding of text, bookkeeping of rows.
create extension if not exists pg_trgm;
create extension if not exists unaccent;
create extension if not exists btree_gin;

create schema if not exists app;
grant usage on schema app, public to foyer_app;
revoke create on schema public from public;
alter default privileges revoke execute on functions from public;

-- Whose workspace this transaction works in; null when nobody said.
create function app.owner() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.owner', true), '')::uuid;

-- Letters without case and accents: 'Müller Łukasz Straße' -> 'muller lukasz strasse'. Not immutable by the letter of the
-- law (the dictionary is a file), but it never changes under a running cluster, and generated columns and indexes need it.
create function app.fold(text) returns text language sql immutable strict parallel safe
  return lower(public.unaccent('public.unaccent'::regdictionary, $1));

create function app.digits(text) returns text language sql immutable strict parallel safe
  return regexp_replace($1, '\D', '', 'g');

-- The smallest uuid of version 7 of an instant: bounds for ranges of time over such keys.
create function app.uuid_floor(at timestamptz) returns uuid language sql immutable strict parallel safe
  return (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

-- A row's version counts its changes.
create function app.touch() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  new.updated_at := now();
  return new;
end $$;

grant execute on function app.owner(), app.fold(text), app.digits(text), app.uuid_floor(timestamptz) to foyer_app;
