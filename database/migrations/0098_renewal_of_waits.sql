-- A wait is renewed only from the smallest network that identifies its visitor. The larger IPv6 network of `network_hash` may belong to
-- several subscribers, and is only for the limit. The network is stored as a keyed hash only.
alter table booking_waits add column subscriber_hash text not null default '';
-- with IPv4 both hashes are the same
update booking_waits set subscriber_hash = network_hash;
