-- The calendars of an account that is being deleted are left out, because their jobs would wait for the end of the deletion, and so would
-- the jobs of all other owners.
create or replace function app.enqueue_due_calendars(due_at timestamptz, job_type text) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  due record;
begin
  for due in
    select s.user_id, s.id from other_calendar_sources s join users u on u.id = s.user_id
    where s.next_read_at <= due_at and exists (select from other_calendars c where c.user_id = s.user_id and c.id = s.id)
      and not exists (select from jobs.jobs j where j.owner = s.user_id and j.type = job_type and j.key = s.id::text and j.failed_at is null)
    order by s.next_read_at limit 1000 for key share of u skip locked
  loop
    perform set_config('app.owner', due.user_id::text, true);
    perform jobs.enqueue(job_type, jsonb_build_object('calendar', due.id), due.id::text, null, false);
  end loop;
end $$;
