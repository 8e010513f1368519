-- Contacts, with what lists, searches and the duplicate rule need kept beside them.
create table crm_contacts (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  external_id text not null default gen_random_uuid(),
  crm_connection_id uuid,
  first_name text not null default '',
  last_name text not null default '',
  email text not null default '',
  phone text not null default '',
  mobile_phone text not null default '',
  company text not null default '',
  title text not null default '',
  department text not null default '',
  mailing_street text not null default '',
  mailing_city text not null default '',
  mailing_state text not null default '',
  mailing_postal_code text not null default '',
  mailing_country text not null default '',
  reports_to_id uuid,
  lead_source text not null default '',
  description text not null default '',
  raw_data jsonb,
  -- the numbers as E.164 where they can be read, else empty: the duplicate rule and searches in any format
  phone_key text not null default '',
  mobile_phone_key text not null default '',
  email_key text generated always as (lower(btrim(email))) stored,
  name text generated always as (btrim(first_name || ' ' || last_name)) stored,
  search text generated always as (app.fold(first_name || ' ' || last_name || E'\n' || email || E'\n' || company
    || E'\n' || phone || E'\n' || app.digits(phone) || E'\n' || phone_key
    || E'\n' || mobile_phone || E'\n' || app.digits(mobile_phone) || E'\n' || mobile_phone_key)) stored,
  primary key (user_id, id),
  constraint crm_contacts_reports_to foreign key (user_id, reports_to_id) references crm_contacts (user_id, id)
    on delete set null (reports_to_id) deferrable
);

-- newest first, and terms so common that walking the key beats the trigrams; the limits of the fields keep a row under 2,700 bytes
create index crm_contacts_newest on crm_contacts (user_id, id desc) include (search);
create index crm_contacts_search on crm_contacts using gin (user_id, search gin_trgm_ops);
create index crm_contacts_name on crm_contacts (user_id, name collate "und-x-icu", id);
create index crm_contacts_email on crm_contacts (user_id, email_key, id);
create index crm_contacts_company on crm_contacts (user_id, company collate "und-x-icu", id);
create index crm_contacts_phone on crm_contacts (user_id, phone_key) where phone_key <> '';
create index crm_contacts_mobile_phone on crm_contacts (user_id, mobile_phone_key) where mobile_phone_key <> '';
create index crm_contacts_reports_to on crm_contacts (user_id, reports_to_id) where reports_to_id is not null;

alter table crm_contacts enable row level security;
create policy own on crm_contacts using (user_id = app.owner()) with check (user_id = app.owner());
grant select, insert, update, delete on crm_contacts to foyer_app;
create trigger touch before update on crm_contacts for each row execute function app.touch();
select app.attach_journal('crm_contacts');

-- LIKE is not leakproof, so under row security it cannot use the trigrams; through its owner's plain view it can.
-- Neither a security barrier nor the invoker's rights, on purpose: the WHERE is the guard.
create view crm_contacts_find as
  select user_id, id, search, name, email_key, company from crm_contacts where user_id = app.owner();
grant select on crm_contacts_find to foyer_app;
