-- A stranger can enter the email of somebody else, so the limit of open waits counts those of the same network. The network is stored as a
-- keyed hash only.
alter table booking_waits add column network_hash text not null default '';
