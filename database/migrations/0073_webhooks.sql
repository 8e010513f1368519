-- Webhooks: changes of records are sent to addresses of the owner. The tables are not journaled: an endpoint has a secret, and an undo must
-- not send a change again or forget that it was sent.
create table webhook_endpoints (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  url text not null,
  description text not null default '',
  -- such as contact.created; '*' stands for all
  events text[] not null,
  is_active boolean not null default true,
  -- encrypted for the owner and the endpoint
  sealed_secret text not null,
  -- failed attempts since the last success, when the first of them was, and the time before which nothing is sent
  failures int not null default 0,
  failing_since timestamptz,
  paused_until timestamptz,
  problem text,
  last_success_at timestamptz,
  primary key (user_id, id)
);
select app.set_up_owned_table('webhook_endpoints');
create trigger publish_added after insert on webhook_endpoints referencing new table as new_rows
  for each statement execute function app.publish_writes();
create trigger publish_edited after update on webhook_endpoints referencing new table as new_rows
  for each statement execute function app.publish_writes();
create trigger publish_deleted after delete on webhook_endpoints referencing old table as new_rows
  for each statement execute function app.publish_writes();

-- Change sets of owners with endpoints, from which no deliveries were made yet.
create table webhook_changes (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  change_id uuid not null,
  primary key (user_id, id)
);
select app.set_up_owned_table('webhook_changes');

-- A line of the journal that is sent to an endpoint. Its body is made from the journal, so it is the same in every attempt, and nothing of
-- an erased record is kept here. A test has no change.
create table webhook_deliveries (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null,
  endpoint_id uuid not null,
  event text not null,
  change_id uuid,
  step bigint not null default 0,
  line int not null default 0,
  record_id uuid not null,
  -- waiting, delivered or failed
  status text not null default 'waiting',
  -- whether it is the first waiting delivery of its record to this endpoint, because a record's changes are sent one after the other
  is_next boolean not null,
  attempts int not null default 0,
  -- since when it waits: its creation, or its last replay
  queued_at timestamptz not null,
  next_at timestamptz not null,
  response_status int,
  problem text,
  duration_ms int,
  finished_at timestamptz,
  primary key (user_id, id),
  constraint webhook_deliveries_endpoint foreign key (user_id, endpoint_id) references webhook_endpoints (user_id, id) on delete cascade
);
create index webhook_deliveries_due on webhook_deliveries (user_id, endpoint_id, next_at, id) where status = 'waiting' and is_next;
create index webhook_deliveries_record on webhook_deliveries (user_id, endpoint_id, record_id, step, line, id) where status = 'waiting';
create index webhook_deliveries_log on webhook_deliveries (user_id, endpoint_id, id desc);
create index webhook_deliveries_failed on webhook_deliveries (user_id, endpoint_id, id) where status = 'failed';
select app.set_up_owned_table('webhook_deliveries');

-- Notes the change sets of owners with endpoints in their own transaction, so that no crash loses one. It costs one look-up in an index.
create function app.note_webhook_change() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from webhook_endpoints e where e.user_id = new.user_id and e.is_active) then
    insert into webhook_changes (user_id, change_id) values (new.user_id, new.id);
  end if;
  return null;
end $$;
create trigger note_webhook_change after insert on changesets for each row execute function app.note_webhook_change();
