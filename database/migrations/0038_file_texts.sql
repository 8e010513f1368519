-- The text of files, by which searches find them, and small pictures of images. Both belong to the stored object, whose bytes never change,
-- so they stay right when a file is renamed, moved, deleted or restored, and are deleted with the object.

-- The words of a text in the form in which searches compare them: folded, with one space between them and at both ends, followed by the
-- other spelling of words such as "Müller". A final sigma is a sigma.
create function app.index_words(text) returns text language plpgsql immutable strict parallel safe as $$
begin
  return regexp_replace(' ' || translate(app.fold($1), 'ς', 'σ') || ' ' || app.respelled($1) || ' ', '[^[:alnum:]]+', ' ', 'g');
end $$;

-- What a person typed as a query: every word, or the beginning of a word, in one of its spellings. A single Latin letter or digit is a whole
-- word, because half of all texts have a word that begins with it. Null if there is no word.
create function app.text_query(search text) returns tsquery language plpgsql immutable strict parallel safe as $$
begin
  return (select string_agg(format('(%s)', spellings), '&')::tsquery from (
    select string_agg(quote_literal(left(spelling, 60)) || case when spelling ~ '^[a-z0-9]$' then '' else ':*' end, '|') as spellings
    from regexp_split_to_table(lower(search), '[^[:alnum:]]+') with ordinality typed(word, place),
      string_to_table(trim(app.index_words(word)), ' ') spelling
    where spelling <> '' group by place order by place limit 16
  ) words);
end $$;

create table object_texts (
  user_id uuid not null default app.owner() references users on delete cascade,
  -- the id of the stored object
  id uuid not null,
  created_at timestamptz not null default now(),
  state text not null default 'waiting' check (state in ('waiting', 'ready', 'failed')),
  -- why there is no text
  reason text not null default '',
  -- whether the text is only the beginning
  is_cut boolean not null default false,
  words tsvector not null default '',
  primary key (user_id, id),
  constraint object_texts_reason check ((reason <> '') = (state = 'failed')),
  constraint object_texts_object foreign key (user_id, id) references stored_objects (user_id, id) on delete cascade
);
create index object_texts_words on object_texts using gin (user_id, words) with (fastupdate = off);
create index object_texts_waiting on object_texts (user_id, id) where state = 'waiting';
select app.set_up_owned_table('object_texts');
-- through the view searches can use the index of the words
create view own_object_texts as select * from object_texts where user_id = app.owner();
grant select on own_object_texts to foyer_app;

-- A text in parts of about 2,000 characters, so that a search reads only the part around its first hit. No word is in two parts.
create table object_text_parts (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  object_id uuid not null,
  number int not null,
  -- from 1; null if the document has no pages
  page int,
  content text not null,
  words text not null generated always as (app.index_words(content)) stored,
  primary key (user_id, id),
  constraint object_text_parts_number unique (user_id, object_id, number),
  constraint object_text_parts_text foreign key (user_id, object_id) references object_texts (user_id, id) on delete cascade
);
select app.set_up_owned_table('object_text_parts');

-- The distinct words of a stored text. A tsvector holds less than a megabyte, so the last words of a text with very many are left out.
create function app.collect_words(object uuid) returns tsvector language plpgsql stable set search_path = public, pg_temp as $$
begin
  return (select coalesce(array_to_tsvector(array_agg(word)), '') from (
    select word, sum(octet_length(word) + 8) over (order by first_part, word) as bytes from (
      select left(word, 60) as word, min(number) as first_part
      from object_text_parts, string_to_table(words, ' ') word
      where user_id = app.owner() and object_id = object and word <> '' group by 1
    ) words
  ) counted where bytes < 1000000);
end $$;

-- A small WebP picture of an image.
create table object_thumbnails (
  user_id uuid not null default app.owner() references users on delete cascade,
  -- the id of the stored object
  id uuid not null,
  image bytea not null,
  primary key (user_id, id),
  constraint object_thumbnails_object foreign key (user_id, id) references stored_objects (user_id, id) on delete cascade
);
alter table object_thumbnails alter column image set storage external;
select app.set_up_owned_table('object_thumbnails');

grant execute on function app.index_words(text), app.text_query(text), app.collect_words(uuid) to foyer_app;
