-- What the owner sees of the outbox: the record of each mail, its next attempt, and mails that the owner gave up. And when the owner got a
-- mail about a webhook endpoint.
alter table outbox_mails
  -- the kind of the record that the mail is about, its id, and the id of its parent, such as the form of an answer
  add column about_kind text not null default '',
  add column about_id uuid,
  add column about_parent_id uuid,
  -- since when it waits: its creation, or the last time that the owner sent it again
  add column queued_at timestamptz not null default now();
alter table outbox_mails drop constraint outbox_mails_state_check;
alter table outbox_mails add constraint outbox_mails_state_check check (state in ('waiting', 'sent', 'off', 'failed', 'given_up'));
create index outbox_mails_state on outbox_mails (user_id, state, id desc);
create index outbox_mails_about on outbox_mails (user_id, about_id, id desc) where about_id is not null;
-- the job of a mail is found by its key
update jobs.jobs set key = payload ->> 'id' where type = 'outbox mail' and key is null and failed_at is null;

-- Returns when the waiting jobs of the owner with these keys run next; -infinity for now.
create function jobs.next_runs(type text, keys text[]) returns table (key text, run_at timestamptz)
  language sql stable security definer set search_path = jobs, pg_temp as $$
  select job.key, job.run_at from jobs.jobs job
  where job.owner = app.owner() and job.type = next_runs.type and job.key = any (next_runs.keys) and job.failed_at is null $$;
revoke execute on function jobs.next_runs(text, text[]) from public;
grant execute on function jobs.next_runs(text, text[]) to foyer_app;

alter table webhook_endpoints
  -- when the owner was told that nothing arrives, and that deliveries were given up; once in each period of failures
  add column told_failing_at timestamptz,
  add column told_given_up_at timestamptz;
