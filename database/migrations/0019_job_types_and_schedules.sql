-- The words of the queue: a job has a type, it is added, and a schedule runs by the clock.
alter table jobs.jobs rename column task to type;
alter table jobs.jobs rename column asked_at to added_at;
alter table jobs.jobs rename column asked_again to added_again;
alter table jobs.clocks rename to schedules;
alter index jobs.clocks_pkey rename to schedules_pkey;

drop function jobs.enqueue(text, jsonb, text, timestamptz);
create function jobs.enqueue(type text, payload jsonb, key text, run_at timestamptz) returns bigint
  language sql security definer set search_path = jobs, pg_temp as $$
  select pg_notify('jobs', '');
  insert into jobs.jobs as job (owner, type, payload, key, run_at)
  values (app.owner(), enqueue.type, enqueue.payload, enqueue.key, coalesce(enqueue.run_at, '-infinity'))
  on conflict (owner, type, key) where failed_at is null do update set
    payload = excluded.payload,
    run_at = case when job.taken_by is not null and not job.added_again then excluded.run_at else least(job.run_at, excluded.run_at) end,
    added_again = job.taken_by is not null,
    attempts = 0
  returning id $$;
grant execute on function jobs.enqueue(text, jsonb, text, timestamptz) to foyer_app;
