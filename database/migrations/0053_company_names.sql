-- Finds the companies with a name, and the contacts that have this name as text and no link to a company, without regard to case and accents.
create index companies_folded_name on companies (user_id, app.fold(name), id);
create index crm_contacts_unlinked_company on crm_contacts (user_id, app.fold(company), id desc) where company_id is null and company <> '';

-- Names that the user did not want to have as companies: the application does not offer them again. `name` is folded.
create table refused_company_names (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  name text not null,
  primary key (user_id, id),
  constraint refused_company_names_name unique (user_id, name)
);
select app.set_up_owned_table('refused_company_names');
