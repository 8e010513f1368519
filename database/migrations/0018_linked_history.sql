-- The timeline of a record tells of its notes, deals and tasks too: the newest of them are found without a sort, and those that were deleted
-- by what they were linked to.
drop index crm_contacts_company_record, deals_contact, deals_company, tasks_contact, tasks_deal;
create index crm_contacts_company_record on crm_contacts (user_id, company_id, id desc) where company_id is not null;
create index deals_contact on deals (user_id, contact_id, id desc) where contact_id is not null;
create index deals_company on deals (user_id, company_id, id desc) where company_id is not null;
create index tasks_contact on tasks (user_id, contact_id, id desc) where contact_id is not null;
create index tasks_deal on tasks (user_id, deal_id, id desc) where deal_id is not null;

create index journal_deleted_of_contact on journal (user_id, (before ->> 'contact_id'), row_id desc)
  where operation = 'D' and before ->> 'contact_id' is not null;
create index journal_deleted_of_company on journal (user_id, (before ->> 'company_id'), row_id desc)
  where operation = 'D' and before ->> 'company_id' is not null;
create index journal_deleted_of_deal on journal (user_id, (before ->> 'deal_id'), row_id desc)
  where operation = 'D' and before ->> 'deal_id' is not null;

-- a plain view, because row security lets no index of an expression serve
create view deleted_rows as
  select user_id, table_name, row_id, before from journal where user_id = app.owner() and operation = 'D';
grant select on deleted_rows to foyer_app;
