-- Saved views: a list's search, filters, sort and columns under a name.
create table views (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  list text not null,
  name text not null,
  address text not null,
  primary key (user_id, id),
  constraint views_name unique (user_id, list, name)
);

alter table views enable row level security;
create policy own on views using (user_id = app.owner()) with check (user_id = app.owner());
grant select, insert, update, delete on views to foyer_app;
create trigger touch before update on views for each row execute function app.touch();
select app.attach_journal('views');
