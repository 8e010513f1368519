-- The update of an undo reads the old values from a table, so the statement has no parameter.
drop function app.attempt(text, text[]);
create function app.attempt(statement text) returns boolean language plpgsql as $$
begin
  execute statement;
  return true;
exception when unique_violation or exclusion_violation then
  return false;
end $$;
grant execute on function app.attempt(text) to foyer_app;
