-- The text functions of generated columns and indexes in PL/pgSQL, which keeps a parsed expression and a plan for the whole connection.
-- As SQL functions they were parsed anew by every statement, and those with a subquery were planned anew by it.
create or replace function app.fold(text) returns text language plpgsql immutable strict parallel safe as $$
begin
  return lower(public.unaccent('public.unaccent'::regdictionary, $1));
end $$;
create or replace function app.digits(text) returns text language plpgsql immutable strict parallel safe as $$
begin
  return regexp_replace($1, '\D', '', 'g');
end $$;
create or replace function app.fold_all(text[]) returns text[] language plpgsql immutable strict parallel safe as $$
begin
  if cardinality($1) = 0 then return '{}'; end if;
  return array(select app.fold(tag) from unnest($1) tag);
end $$;
create or replace function app.respelled(text) returns text language plpgsql immutable strict parallel safe as $$
begin
  if $1 !~* '[äöüøå]' then return ''; end if;
  return (select coalesce(string_agg(app.fold(replace(replace(replace(replace(replace(word, 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ø', 'oe'), 'å', 'aa')), ' '), '')
    from regexp_split_to_table(lower($1), '\s+') word where word ~ '[äöüøå]');
end $$;
create or replace function app.words(text) returns text[] language plpgsql immutable strict parallel safe cost 10000 as $$
begin
  return array(select word from regexp_split_to_table(regexp_replace($1, '\S+@\S+', '', 'g'), '[^[:alnum:]]+') word
    where length(word) <= 60 and (word ~ '[^[:ascii:]]' or (length(word) >= 4 and word !~ '^\d+$')));
end $$;
