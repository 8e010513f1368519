-- The owner of a booking link, for its visitors, who have no rights on the table.
drop function app.booking_link_owner(text);
create function app.booking_link_by_slug(link_slug text) returns table (owner uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select l.user_id, l.id from public.booking_links l where l.slug = link_slug;
  end;
create function app.booking_link_owner(link_id uuid) returns uuid
  language sql stable security definer set search_path = public, pg_temp
  return (select l.user_id from public.booking_links l where l.id = link_id limit 1);
grant execute on function app.booking_link_by_slug(text), app.booking_link_owner(uuid) to foyer_app;
-- the id alone is not the primary key
create index booking_links_id on booking_links (id);
