-- One id names one record of a workspace, of whatever kind: history, trash and timeline find it by the id alone.

-- To be asked before a row is inserted under an id that the caller made. Of several at once that claim one, the others wait. An id is
-- free again when the history of what had it was erased for good.
create function app.claim_id(claimed uuid) returns void language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('id ' || app.owner()::text || claimed::text, 0));
  if exists (select from journal where row_id = claimed and user_id = app.owner()) then
    raise exception using errcode = 'unique_violation', constraint = 'claimed_id', message = 'This id is taken';
  end if;
end $$;
grant execute on function app.claim_id(uuid) to foyer_app;
