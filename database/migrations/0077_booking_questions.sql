-- Own questions of a booking link, and the answers of its visitors, with the labels that the questions had.
alter table booking_links add column questions jsonb;
alter table bookings add column answers jsonb;
insert into app.column_changes (table_name, column_name, default_value)
  values ('booking_links', 'questions', 'null'), ('bookings', 'answers', 'null');
create or replace view booking_links_find as select * from booking_links where user_id = app.owner();
create or replace view bookings_find as select * from bookings where user_id = app.owner();
