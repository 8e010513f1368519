-- Says whether an owner has written anything since a snapshot, so that a server knows whether what it has in memory is current.
create function app.read_changes_since(earlier pg_snapshot, out snapshot text, out has_changed boolean)
  language sql stable security definer set search_path = public, pg_temp as $$
  select pg_current_snapshot()::text, earlier is null or exists (
    select from changesets c
      where c.xid >= pg_snapshot_xmin(earlier) and not pg_visible_in_snapshot(c.xid, earlier) and c.user_id = app.owner()
    union all
    select from unjournaled_writes w
      where w.xid >= pg_snapshot_xmin(earlier) and not pg_visible_in_snapshot(w.xid, earlier) and w.user_id = app.owner()) $$;
grant execute on function app.read_changes_since to foyer_app;
