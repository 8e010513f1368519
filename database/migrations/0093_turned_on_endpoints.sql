-- When the owner has turned an endpoint on again, because earlier changes are not sent to it; null if it is on since its creation.
alter table webhook_endpoints add column turned_on_at timestamptz;
