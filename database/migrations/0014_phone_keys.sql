-- Phones without a country code are read in the country of the profile: when that changes, by an undo too, a job reads them anew.
create function app.ask_for_phone_keys() returns trigger language plpgsql as $$
begin
  perform jobs.enqueue('phone keys', '{}', 'country', null);
  return null;
end $$;

create trigger phone_keys after update on profiles for each row
  when (old.country <> new.country and current_user = 'foyer_app') execute function app.ask_for_phone_keys();
