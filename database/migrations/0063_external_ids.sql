-- Finds a contact by its id in another CRM.
create index crm_contacts_external_id on crm_contacts (user_id, crm_connection_id, external_id) where crm_connection_id is not null;
