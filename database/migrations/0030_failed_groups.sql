-- The progress of a change group tells when its job has failed permanently. The job has the id of the group as its key.
create index jobs_failed_key on jobs.jobs (owner, key) where failed_at is not null and key is not null;
create function jobs.has_failed(failed_key text) returns boolean
  language sql stable security definer set search_path = jobs, pg_temp as $$
  select exists (select from jobs.jobs job where job.owner = app.owner() and job.key = failed_key and job.failed_at is not null) $$;
grant execute on function jobs.has_failed(text) to foyer_app;
