-- Lets a long job say that it has made progress. Only the failures since then count, so that a job of hours survives many restarts.
create function jobs.forget_failures(job_type text, job_key text) returns void
  language sql security definer set search_path = jobs, pg_temp as $$
  update jobs.jobs job set attempts = 0, crashes = 0
  where job.owner = app.owner() and job.type = job_type and job.key = job_key and job.failed_at is null
    and (job.attempts > 0 or job.crashes > 0) $$;
grant execute on function jobs.forget_failures(text, text) to foyer_app;
