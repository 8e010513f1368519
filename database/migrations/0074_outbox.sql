-- The mails to and about visitors, which the owner can read. They are not journaled, because a sent mail cannot be undone.
create table outbox_mails (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  to_address text not null,
  reply_to text not null default '',
  subject text not null,
  content text not null,
  -- the attached calendar file, with its method
  calendar text not null default '',
  calendar_method text not null default '',
  -- waiting: the job has not sent it yet; off: there was no mail server; failed: the mail server refused it
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'off', 'failed')),
  -- why it was not sent, or not yet
  problem text not null default '',
  sent_at timestamptz,
  primary key (user_id, id)
);
select app.set_up_owned_table('outbox_mails');
create index outbox_mails_newest on outbox_mails (user_id, id desc);
create trigger publish_added after insert on outbox_mails referencing new table as new_rows
  for each statement execute function app.publish_writes();
create trigger publish_edited after update on outbox_mails referencing new table as new_rows
  for each statement execute function app.publish_writes();
create trigger count_insert after insert on outbox_mails referencing new table as new_rows for each statement execute function app.count_rows();
create trigger count_update after update on outbox_mails referencing old table as old_rows new table as new_rows
  for each statement execute function app.count_rows();
create trigger count_delete after delete on outbox_mails referencing old table as old_rows for each statement execute function app.count_rows();
