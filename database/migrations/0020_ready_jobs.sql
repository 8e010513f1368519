-- Jobs that may run now have a `run_at` of -infinity and an index of their own, so that a worker never reads those that wait for a time.
drop index jobs.jobs_waiting;
create index jobs_ready on jobs.jobs (type, owner, id) where taken_by is null and failed_at is null and run_at = '-infinity';
create index jobs_scheduled on jobs.jobs (run_at) where taken_by is null and failed_at is null and run_at > '-infinity';
create index jobs_failed on jobs.jobs (failed_at) where failed_at is not null;

-- Only of jobs with a key: the planner, without statistics, would read all jobs of an owner with it.
drop index jobs.jobs_key;
create unique index jobs_key on jobs.jobs (owner, type, key) where failed_at is null and key is not null;
create or replace function jobs.enqueue(type text, payload jsonb, key text, run_at timestamptz) returns bigint
  language sql security definer set search_path = jobs, pg_temp as $$
  select pg_notify('jobs', '');
  insert into jobs.jobs as job (owner, type, payload, key, run_at)
  values (app.owner(), enqueue.type, enqueue.payload, enqueue.key, coalesce(enqueue.run_at, '-infinity'))
  on conflict (owner, type, key) where failed_at is null and key is not null do update set
    payload = excluded.payload,
    run_at = case when job.taken_by is not null and not job.added_again then excluded.run_at else least(job.run_at, excluded.run_at) end,
    added_again = job.taken_by is not null,
    attempts = 0
  returning id $$;
