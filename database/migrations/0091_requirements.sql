-- Rolls back the transaction if a condition is not true, so that writes can be sent in one batch with the conditions on which they depend.
create function app.require(condition boolean, reason text) returns void language plpgsql set search_path = pg_temp as $$
begin
  if condition is not true then raise exception using errcode = 'FY004', message = reason; end if;
end $$;
grant execute on function app.require(boolean, text) to foyer_app;
