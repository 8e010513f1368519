-- A job that cleans up after an account stays when the account is deleted; every other job is deleted with it.
alter table jobs.jobs drop constraint jobs_owner_fkey;
alter table jobs.jobs add column outlives_account boolean not null default false;
alter table jobs.jobs add column account uuid generated always as (case when not outlives_account then owner end) stored
  references users on delete cascade;
create index jobs_account on jobs.jobs (account) where account is not null;

drop function jobs.enqueue(text, jsonb, text, timestamptz);
create function jobs.enqueue(type text, payload jsonb, key text, run_at timestamptz, outlives_account boolean default false) returns bigint
  language sql security definer set search_path = jobs, pg_temp as $$
  select pg_notify('jobs', '');
  insert into jobs.jobs as job (owner, type, payload, key, run_at, outlives_account)
  values (app.owner(), enqueue.type, enqueue.payload, enqueue.key, coalesce(enqueue.run_at, '-infinity'), enqueue.outlives_account)
  on conflict (owner, type, key) where failed_at is null and key is not null do update set
    payload = excluded.payload,
    run_at = case when job.taken_by is not null and not job.added_again then excluded.run_at else least(job.run_at, excluded.run_at) end,
    added_again = job.taken_by is not null,
    attempts = 0
  returning id $$;
grant execute on function jobs.enqueue(text, jsonb, text, timestamptz, boolean) to foyer_app;
