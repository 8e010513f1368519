import type { File } from '#contract/files.ts'
import type { Folder, FolderPath } from '#contract/folders.ts'
import { nora } from '#web/testing.ts'

const makeId = (number: number): string => `01930000-0000-7000-8000-${String(number).padStart(12, '0')}`
/** The columns of every record that the server sets. */
const systemColumns = { created_at: '2026-11-16T09:00:00.000Z', updated_at: '2026-11-16T09:00:00.000Z', version: 1 }

/** A folder in the root folder. It contains the folder Quillstone Dental, which contains the folders Drawings and Samples. */
export const projects: Folder = {
  ...systemColumns,
  id: makeId(501),
  name: 'Projects',
  parent_folder_id: null,
  file_count: 0,
  is_empty: false,
}
export const quillstone: Folder = { ...projects, id: makeId(502), name: 'Quillstone Dental', parent_folder_id: projects.id, file_count: 3 }
export const drawings: Folder = {
  ...projects,
  id: makeId(503),
  name: 'Drawings',
  parent_folder_id: quillstone.id,
  file_count: 14,
  is_empty: false,
}
export const samples: Folder = { ...projects, id: makeId(504), name: 'Samples', parent_folder_id: quillstone.id, is_empty: true }

/** A file in the folder Quillstone Dental. */
export const surveyFile: File = {
  ...systemColumns,
  id: makeId(601),
  folder_id: quillstone.id,
  contact_id: null,
  file_name: 'quillstone-survey-v3.pdf',
  file_type: 'pdf',
  file_size: 1_887_437,
  mime_type: 'application/pdf',
  storage_path: 'a/b',
  is_ai_generated: false,
  text_state: 'ready',
  text_reason: null,
  has_thumbnail: false,
}
/** Two more files in the same folder. */
export const wallFile: File = {
  ...surveyFile,
  id: makeId(602),
  file_name: 'waiting-room-east-wall.jpg',
  file_type: 'jpg',
  file_size: 4_404_019,
}
export const accessFile: File = { ...surveyFile, id: makeId(603), file_name: 'Site access and alarm.txt', file_type: 'txt', file_size: 912 }

export const quillstoneAddress = `/files/folder/${quillstone.id}`

/** The folders from the root folder to the folder Quillstone Dental: the path of its files and folders. */
export const quillstonePath: FolderPath = [
  { id: projects.id, name: projects.name },
  { id: quillstone.id, name: quillstone.name },
]

/** The handlers for the folder Quillstone Dental with two folders and three files. */
export const folderRoutes = {
  'GET /api/session': nora,
  'GET /api/folders/{id}/path': {
    rows: quillstonePath,
  },
  'GET /api/folders': { rows: [drawings, samples], next: null },
  'GET /api/files': { rows: [surveyFile, wallFile, accessFile], next: null },
  'GET /api/files/count': { count: 3, more: false },
  'GET /api/search': { hits: [] },
}
