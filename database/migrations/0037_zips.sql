-- Zips that were prepared and can be downloaded for some minutes. A row has the selection, from which the zip is made again when it is
-- downloaded, and the digest of what it contained.
create table zips (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  expires_at timestamptz not null,
  file_ids uuid[] not null,
  folder_ids uuid[] not null,
  contact_id uuid,
  digest text not null,
  primary key (user_id, id)
);
create index zips_expiry on zips (expires_at);
select app.set_up_owned_table('zips');
