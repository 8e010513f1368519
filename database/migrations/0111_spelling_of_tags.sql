-- A tag that is both removed and added in another spelling was lost. Now it gets the new spelling and keeps its place.
create or replace function app.retag(tags text[], added text[], removed text[]) returns text[] language sql immutable strict parallel safe
  return array(
    select tag from (
      select tag, place, 0 as number from unnest(tags) with ordinality kept (tag, place) where app.fold(tag) <> all (app.fold_all(removed))
      union all
      select tag, coalesce(array_position(app.fold_all(tags), app.fold(tag)), cardinality(tags) + number), number
      from unnest(added) with ordinality fresh (tag, number)
      where app.fold(tag) <> all (app.fold_all(tags)) or app.fold(tag) = any (app.fold_all(removed))
    ) together order by place, number);
