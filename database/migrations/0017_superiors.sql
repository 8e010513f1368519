-- Nobody is made to report to somebody who reports to them, perhaps through others. Asked before an edit, in its transaction: what an undo
-- or the trash brings back is not refused for it, and a circle from elsewhere harms nothing.

-- Those of one owner wait for each other, or two at once would close a circle that neither sees.
create function app.refuse_circle(edited uuid[], superior uuid) returns void language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('superiors ' || app.owner()::text, 0));
  if exists (
    with recursive above as (
      select id, reports_to_id from crm_contacts where user_id = app.owner() and id = superior
      union
      select c.id, c.reports_to_id from above join crm_contacts c on c.user_id = app.owner() and c.id = above.reports_to_id
    )
    select from above where id = any (edited) and id <> superior
  ) then
    raise exception using errcode = 'check_violation', constraint = 'crm_contacts_circle', message = 'A contact reports to itself';
  end if;
end $$;
grant execute on function app.refuse_circle(uuid[], uuid) to foyer_app;
