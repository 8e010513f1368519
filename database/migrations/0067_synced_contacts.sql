-- Finds the contacts of a deleted connection when their CRM is connected again.
create index crm_contacts_unlinked_external_id on crm_contacts (user_id, external_id) where crm_connection_id is null and raw_data ? 'synced';
