-- A mail that waits for the mail server can become wrong: a newer mail says something else, or its time is over. It is not sent then.
alter table outbox_mails
  -- of the mails of one series to one address about one record only the newest is sent; empty: the mail belongs to no series
  add column series text not null default '',
  -- the mail is not sent after this time; null: it is useful at any time
  add column expires_at timestamptz;
