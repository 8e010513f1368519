-- Notes on contacts. They go with their contact, and come back with it.
create table notes (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  contact_id uuid not null,
  content text not null default '',
  search text generated always as (app.fold(content)) stored,
  primary key (user_id, id),
  constraint notes_contact foreign key (user_id, contact_id) references crm_contacts (user_id, id) on delete cascade deferrable
);

create index notes_contact on notes (user_id, contact_id, id desc);
create index notes_search on notes using gin (user_id, search gin_trgm_ops);

alter table notes enable row level security;
create policy own on notes using (user_id = app.owner()) with check (user_id = app.owner());
grant select, insert, update, delete on notes to foyer_app;
create trigger touch before update on notes for each row execute function app.touch();
select app.attach_journal('notes');

create view notes_find as select * from notes where user_id = app.owner();
grant select on notes_find to foyer_app;
