-- An undo skips the company name and the company link of a contact together if one of them was edited since, because they must agree.
comment on column crm_contacts.company is 'undone together with company_id';
