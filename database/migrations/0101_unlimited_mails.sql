-- As in 0060, and with the argument `unlimited` new rows are counted but not limited. So the visitors of a full account are told that their
-- bookings were deleted, and its owner that a webhook fails. What causes other mails is limited itself.
create or replace function app.count_rows() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  added bigint := 0;
  removed bigint := 0;
  written bigint;
begin
  if app.owner() is null then return null; end if;
  if tg_op <> 'DELETE' then select coalesce(sum(pg_column_size(r.*)), 0) into added from new_rows r where r.user_id = app.owner(); end if;
  if tg_op <> 'INSERT' then select coalesce(sum(pg_column_size(r.*)), 0) into removed from old_rows r where r.user_id = app.owner(); end if;
  written := app.count_written(added - removed, tg_op = 'INSERT' and tg_argv[0] is distinct from 'unlimited');
  return null;
end $$;
create or replace trigger count_insert after insert on outbox_mails referencing new table as new_rows
  for each statement execute function app.count_rows('unlimited');
