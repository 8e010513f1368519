-- Rows that were imported, but of which a cell is not stored in its field, are reported with the reason.
alter table imports
  -- the created and updated rows that have a remark
  add column with_remarks_count int not null default 0;
alter table import_rows drop constraint import_rows_status_check;
alter table import_rows add constraint import_rows_status_check check (status in ('failed', 'skipped', 'remark'));
