-- A contact that is linked to a company has its name, also after an undo or a restore, and after a rename at the same time.

-- The lock of the company is that of the foreign key. A rename waits for it, and then finds the contact.
create function app.set_company_name() returns trigger language plpgsql as $$
declare
  found_name text;
begin
  perform from public.companies c where c.user_id = new.user_id and c.id = new.company_id for key share;
  -- a statement of its own, because the one before does not see a rename that it waited for
  select c.name into found_name from public.companies c where c.user_id = new.user_id and c.id = new.company_id;
  new.company := coalesce(found_name, new.company); -- the foreign key refuses a link to a missing company, unless an undo restores it next
  return new;
end $$;
create trigger company_name_of_new before insert on crm_contacts for each row when (new.company_id is not null)
  execute function app.set_company_name();
create trigger company_name before update on crm_contacts for each row
  when (new.company_id is not null and pg_trigger_depth() = 0 and (new.company_id is distinct from old.company_id or new.company <> old.company))
  execute function app.set_company_name();

create function app.rename_in_contacts() returns trigger language plpgsql as $$
begin
  -- waits for contacts that are being linked to the company
  perform from public.companies c where c.user_id = new.user_id and c.id = new.id for update;
  -- locked in the order of their ids, which prevents deadlocks
  perform from public.crm_contacts c where c.user_id = new.user_id and c.company_id = new.id order by c.id for no key update;
  update public.crm_contacts c set company = new.name where c.user_id = new.user_id and c.company_id = new.id and c.company <> new.name;
  return null;
end $$;
create trigger rename_in_contacts after update on companies for each row when (old.name is distinct from new.name)
  execute function app.rename_in_contacts();

update crm_contacts c set company = l.name from companies l
  where l.user_id = c.user_id and l.id = c.company_id and l.name <> c.company;
