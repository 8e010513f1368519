-- A contact that is being written while the country of the profile changes can get a key of the old country after the job has read the
-- contacts. A second job, some minutes later, corrects it.
create or replace function app.ask_for_phone_keys() returns trigger language plpgsql as $$
begin
  perform jobs.enqueue('phone keys', '{}', 'country', null);
  perform jobs.enqueue('phone keys', '{}', 'country again', now() + interval '5 minutes');
  return null;
end $$;
