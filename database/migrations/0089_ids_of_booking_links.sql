-- Visitors name a booking link only by its id, so the id belongs to one owner of the installation, like that of a form.
drop index booking_links_id;
create unique index booking_links_id on booking_links (id);
