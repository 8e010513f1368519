-- Work for later, asked for in the transaction that needs it and taken by whichever process is free; and what runs by the clock.
create schema jobs;
grant usage on schema jobs to foyer_app;

create table jobs.jobs (
  id bigint generated always as identity primary key,
  owner uuid not null references users on delete cascade,
  task text not null,
  payload jsonb not null check (jsonb_typeof(payload) = 'object'),
  -- asks with the same key are one job, as long as it has not failed
  key text,
  asked_at timestamptz not null default now(),
  run_at timestamptz not null default '-infinity',
  taken_by int,
  taken_at timestamptz,
  -- asked for again with its key while it runs: it goes back instead of away
  asked_again boolean not null default false,
  attempts int not null default 0,
  crashes int not null default 0,
  reason text,
  error text,
  failed_at timestamptz,
  -- a payload may hold a secret, such as a link to choose a new password: it does not outlive the work
  check (failed_at is null or (taken_by is null and payload = '{}'))
);
create unique index jobs_key on jobs.jobs (owner, task, key) where failed_at is null;
create index jobs_waiting on jobs.jobs (owner, task, run_at, id) where taken_by is null and failed_at is null;
create index jobs_taken on jobs.jobs (owner, task) where taken_by is not null;

create table jobs.clocks (
  name text primary key,
  due_at timestamptz not null
);

create sequence jobs.workers as int cycle;

-- A worker holds this advisory lock on its connection as long as it lives; the kernel ends that connection with the process.
create function jobs.is_alive(worker int) returns boolean language sql volatile
  return exists (
    select from pg_locks l where l.locktype = 'advisory' and l.classid = 7001 and l.objid = worker::oid and l.objsubid = 2 and l.granted
      and l.database = (select d.oid from pg_database d where d.datname = current_database()));

-- All that the application may do here: ask for work, for the owner it acts as.
create function jobs.enqueue(task text, payload jsonb, key text, run_at timestamptz) returns bigint
  language sql security definer set search_path = jobs, pg_temp as $$
  select pg_notify('jobs', '');
  insert into jobs.jobs as job (owner, task, payload, key, run_at)
  values (app.owner(), enqueue.task, enqueue.payload, enqueue.key, coalesce(enqueue.run_at, '-infinity'))
  on conflict (owner, task, key) where failed_at is null do update set
    payload = excluded.payload,
    run_at = case when job.taken_by is not null and not job.asked_again then excluded.run_at else least(job.run_at, excluded.run_at) end,
    asked_again = job.taken_by is not null,
    attempts = 0
  returning id $$;
grant execute on function jobs.enqueue(text, jsonb, text, timestamptz) to foyer_app;
