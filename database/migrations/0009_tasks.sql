-- Tasks: what has to be done, by when, for which contact or deal. `completed_at` stands while the status is completed.
create table tasks (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  title text not null default '',
  description text not null default '',
  status text not null default 'pending',
  priority text not null default 'medium',
  due_date date,
  completed_at timestamptz,
  contact_id uuid,
  deal_id uuid,
  -- low, medium and high in their order
  priority_rank int generated always as (case priority when 'low' then 1 when 'medium' then 2 else 3 end) stored,
  search text generated always as (app.fold(title)) stored,
  primary key (user_id, id),
  constraint tasks_contact foreign key (user_id, contact_id) references crm_contacts (user_id, id)
    on delete set null (contact_id) deferrable,
  constraint tasks_deal foreign key (user_id, deal_id) references deals (user_id, id)
    on delete set null (deal_id) deferrable
);

create index tasks_newest on tasks (user_id, id desc) include (search);
create index tasks_search on tasks using gin (user_id, search gin_trgm_ops);
create index tasks_title on tasks (user_id, title collate "und-x-icu", id);
create index tasks_priority on tasks (user_id, priority_rank, id);
create index tasks_due_date on tasks (user_id, due_date, id);
create index tasks_open on tasks (user_id, due_date, id) where status <> 'completed';
create index tasks_contact on tasks (user_id, contact_id) where contact_id is not null;
create index tasks_deal on tasks (user_id, deal_id) where deal_id is not null;

alter table tasks enable row level security;
create policy own on tasks using (user_id = app.owner()) with check (user_id = app.owner());
grant select, insert, update, delete on tasks to foyer_app;
create trigger touch before update on tasks for each row execute function app.touch();
select app.attach_journal('tasks');

-- Whoever completes a task, one or many at once: undo brings its own instant along.
create function app.complete_task() returns trigger language plpgsql as $$
begin
  new.completed_at := case when new.status = 'completed' then coalesce(new.completed_at, now()) end;
  return new;
end $$;
create trigger complete before insert or update on tasks for each row execute function app.complete_task();

create view tasks_find as select * from tasks where user_id = app.owner();
grant select on tasks_find to foyer_app;
