-- Search across all kinds of records: German and Nordic names in both spellings, and words that bear one typo.

-- The words of a text that have letters which others write as two: 'Jörg Müller, Århus' -> 'joerg mueller aarhus'.
create function app.respelled(text) returns text language sql immutable strict parallel safe
  return case when $1 ~* '[äöüøå]' then (
    select coalesce(string_agg(app.fold(replace(replace(replace(replace(replace(word, 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ø', 'oe'), 'å', 'aa')), ' '), '')
    from regexp_split_to_table(lower($1), '\s+') word where word ~ '[äöüøå]'
  ) else '' end;

-- The words of a folded text by which it is found when one bears a typo: no short ones, no numbers, no emails, none so long that an
-- index cannot hold it; in other scripts, of which the trigrams may know nothing, short ones too. The cost tells the planner never to ask this of row after row.
create function app.words(text) returns text[] language sql immutable strict parallel safe cost 10000
  return array(
    select word from regexp_split_to_table(regexp_replace($1, '\S+@\S+', '', 'g'), '[^[:alnum:]]+') word
    where length(word) <= 60 and (word ~ '[^[:ascii:]]' or length(word) >= 4 and word !~ '^\d+$')
  );

-- A folded word, and all that it may have been meant to be: a letter of it is missing, too much or wrong, or two are swapped.
create function app.misspellings(word text) returns text[] language sql immutable strict parallel safe
  return array(
    select word
    union select overlay(word placing '' from place for 1) from generate_series(1, length(word)) place
    union select overlay(word placing reverse(substr(word, place, 2)) from place for 2) from generate_series(1, length(word) - 1) place
    union select overlay(word placing letter from place for width)
      from generate_series(1, length(word) + 1) place, generate_series(0, 1) width, regexp_split_to_table(case
        when word ~ '[а-я]' then 'абвгдежзиклмнопрстуфхцчшщъыьэюя' when word ~ '[α-ω]' then 'αβγδεζηθικλμνξοπρστυφχψω'
        else 'abcdefghijklmnopqrstuvwxyz' end, '') letter
  );

-- What the person typed as a part of a LIKE pattern, and as the beginning of a word in a regular expression.
create function app.like_part(text) returns text language sql immutable strict parallel safe
  return regexp_replace(app.fold($1), '[\\%_]', '\\\&', 'g');
create function app.word_start(text) returns text language sql immutable strict parallel safe
  return '\m' || regexp_replace(app.fold($1), '\W', '\\\&', 'g');
grant execute on function app.respelled(text), app.words(text), app.misspellings(text), app.like_part(text), app.word_start(text) to foyer_app;

-- The lengths keep a row of the index on the newest under 2,700 bytes, whatever its letters.
alter table crm_contacts alter column search set expression as (app.fold(first_name || ' ' || last_name || E'\n' || email || E'\n' || company
  || E'\n' || phone || E'\n' || app.digits(phone) || E'\n' || phone_key
  || E'\n' || mobile_phone || E'\n' || app.digits(mobile_phone) || E'\n' || mobile_phone_key)
  || E'\n' || left(app.respelled(first_name || ' ' || last_name || ' ' || company), 60));
alter table companies alter column search set expression as (app.fold(name || E'\n' || industry || E'\n' || left(website, 80) || E'\n' || email
  || E'\n' || phone || E'\n' || app.digits(phone)) || E'\n' || left(app.respelled(name), 30));
alter table deals alter column search set expression as (app.fold(title) || E'\n' || app.respelled(title));
alter table tasks alter column search set expression as (app.fold(title) || E'\n' || app.respelled(title));
alter table notes alter column search set expression as (app.fold(content) || E'\n' || app.respelled(content));

-- What waits to be sorted in is compared with every spelling of a guess, in kB: of the usual four megabytes that takes a second, which no
-- time limit ends.
create index crm_contacts_words on crm_contacts using gin (user_id, app.words(search)) with (gin_pending_list_limit = 256);
create index companies_words on companies using gin (user_id, app.words(search)) with (gin_pending_list_limit = 256);
create index deals_words on deals using gin (user_id, app.words(search)) with (gin_pending_list_limit = 256);
create index tasks_words on tasks using gin (user_id, app.words(search)) with (gin_pending_list_limit = 256);
create index notes_words on notes using gin (user_id, app.words(search)) with (gin_pending_list_limit = 256);
