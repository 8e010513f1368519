-- Open screens learn that the history was erased. A change set alone does not tell them, because it has no lines in the journal.
create or replace function app.finish_erasing_history(until uuid) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform app.open_change();
  perform app.correct_record_use(app.owner());
  update record_use set erased_before = until where user_id = app.owner();
  insert into unjournaled_writes (user_id, table_name) values (app.owner(), 'journal');
end $$;
