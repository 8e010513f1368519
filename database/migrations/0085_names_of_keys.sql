-- The history shows the name of the API key that made a change, also after the key was deleted, so each change set stores it. A name
-- never changes. It is null for other actors, and for keys that were deleted before this migration.
alter table changesets add column actor_name text;

create function app.set_actor_name() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  new.actor_name := (select k.name from api_keys k where k.user_id = new.user_id and 'api_key:' || k.id = new.actor);
  return new;
end $$;
create trigger set_actor_name before insert on changesets for each row when (new.actor like 'api\_key:%')
  execute function app.set_actor_name();

update changesets c set actor_name = k.name from api_keys k where k.user_id = c.user_id and 'api_key:' || k.id = c.actor;
