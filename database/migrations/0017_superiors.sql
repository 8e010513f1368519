-- Nobody reports to somebody who reports to them, perhaps through others.

-- Those of one owner wait for each other, or two at once would close a circle that neither sees. A line has an end, so that the walk of
-- ten thousand who are moved at once has one.
create function app.refuse_circle() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  superior uuid := new.reports_to_id;
begin
  perform pg_advisory_xact_lock(hashtextextended('superiors ' || new.user_id::text, 0));
  for level in 1..100 loop
    if superior = new.id then
      raise exception using errcode = 'check_violation', constraint = 'crm_contacts_circle', message = 'A contact reports to itself';
    end if;
    select c.reports_to_id into superior from crm_contacts c where c.user_id = new.user_id and c.id = superior;
    if superior is null then return null; end if;
  end loop;
  raise exception using errcode = 'check_violation', constraint = 'crm_contacts_levels', message = 'A contact has more than 100 superiors';
end $$;

create trigger superiors_insert after insert on crm_contacts for each row when (new.reports_to_id is not null)
  execute function app.refuse_circle();
create trigger superiors_update after update on crm_contacts for each row
  when (new.reports_to_id is not null and new.reports_to_id is distinct from old.reports_to_id) execute function app.refuse_circle();
