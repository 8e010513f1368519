// Statements for `sql` that write records on which many others depend.
/** The arguments of `sql`. */
export type SqlStatement = [text: string, ...values: unknown[]]

export const addCompany = (id: string, name = 'Quillstone'): SqlStatement => ['insert into companies (id, name) values ($1, $2)', id, name]
export const addContacts = (company: string, count: number): SqlStatement => [
  `insert into crm_contacts (first_name, company, company_id) select 'Number ' || n, 'Quillstone', $1 from generate_series(1, $2::int) n`,
  company,
  count,
]
export const addFolder = (id: string, parent: string | null): SqlStatement => [
  'insert into folders (id, name, parent_folder_id) values ($1, $2, $3)',
  id,
  id,
  parent,
]
export const addFiles = (place: 'folder_id' | 'contact_id', id: string, count: number): SqlStatement => [
  `with objects as (
     insert into stored_objects (storage_path, file_size) select gen_random_uuid(), 0 from generate_series(1, $2::int) returning id
   )
   insert into files (object_id, storage_path, file_name, file_size, ${place}) select id, '', 'A file', 0, $1::uuid from objects`,
  id,
  count,
]
