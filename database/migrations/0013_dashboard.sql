-- New contacts of each source and week are counted in this index alone.
create index crm_contacts_lead_source on crm_contacts (user_id, lead_source, created_at);
