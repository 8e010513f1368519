-- Lead forms, and the answers of visitors to them. The fields of a form are one column, so that an edit of several fields is one change.
create table lead_forms (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  title text not null default '',
  -- the end of the public address /form/{slug}, in lower case
  slug text not null,
  description text not null default '',
  success_message text not null default '',
  is_active boolean not null default true,
  redirect_url text not null default '',
  closes_at timestamptz,
  max_submissions int,
  -- a list of objects with id, field_name, field_label, field_type, is_required, placeholder and options
  form_fields jsonb not null default '[]',
  search text generated always as (app.fold(title) || E'\n' || app.respelled(title)) stored,
  primary key (user_id, id)
);
select app.set_up_record_table('lead_forms');
create unique index lead_forms_slug on lead_forms (slug);
create unique index lead_forms_id on lead_forms (id);

-- The fields that a form has or had. A version is written with the edit, and an answer refers to the version that its visitor saw. There is
-- no link to the form and no journal, so that neither an undo nor a deletion that is undone loses what an answer means.
create table form_versions (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  form_id uuid not null,
  fields jsonb not null,
  fields_key text not null generated always as (md5(fields::text)) stored,
  primary key (user_id, id),
  constraint form_versions_fields unique (user_id, form_id, fields_key)
);
select app.set_up_owned_table('form_versions');

create table form_submissions (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  form_id uuid not null,
  contact_id uuid,
  -- null for a form without own fields
  form_version_id uuid,
  submission_data jsonb not null default '{}',
  -- the name and the email of the visitor, and the beginning of the other answers
  name text not null default '',
  email text not null default '',
  summary text not null default '',
  -- UTM parameters, and the page that contained the form
  source jsonb not null default '{}',
  is_spam boolean not null default false,
  spam_reason text not null default '',
  search text generated always as (app.fold(left(name, 201) || E'\n' || left(email, 254) || E'\n' || left(summary, 150))) stored,
  primary key (user_id, id),
  constraint form_submissions_form foreign key (user_id, form_id) references lead_forms (user_id, id) on delete cascade deferrable,
  constraint form_submissions_contact foreign key (user_id, contact_id) references crm_contacts (user_id, id)
    on delete set null (contact_id) deferrable
);
select app.set_up_record_table('form_submissions');
create index form_submissions_form on form_submissions (user_id, form_id, is_spam, id desc);
create index form_submissions_contact on form_submissions (user_id, contact_id, id desc) where contact_id is not null;
create index journal_deleted_of_form on journal (user_id, (before ->> 'form_id'), row_id desc)
  where operation = 'D' and before ->> 'form_id' is not null;

-- The files of answers. Their bytes are stored objects. There is no link to the answer, because an undo restores a deleted answer.
create table form_submission_files (
  user_id uuid not null default app.owner() references users on delete cascade,
  id uuid not null default uuidv7(),
  created_at timestamptz not null default now(),
  submission_id uuid not null,
  field_name text not null,
  object_id uuid not null,
  file_name text not null,
  mime_type text not null default '',
  file_size bigint not null,
  primary key (user_id, id),
  -- without an action, because the account is deleted with both tables in any order
  constraint form_submission_files_object foreign key (user_id, object_id) references stored_objects (user_id, id) deferrable
);
create index form_submission_files_submission on form_submission_files (user_id, submission_id);
create index form_submission_files_object on form_submission_files (user_id, object_id);
select app.set_up_owned_table('form_submission_files');

-- A visitor knows the address of a form and not its owner.
create function app.lead_form_by_slug(wanted text) returns table (owner uuid, id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select f.user_id, f.id from lead_forms f where f.slug = lower(wanted) $$;
grant execute on function app.lead_form_by_slug to foyer_app;

create function app.lead_form_owner(wanted uuid) returns uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select f.user_id from lead_forms f where f.id = wanted $$;
grant execute on function app.lead_form_owner to foyer_app;
