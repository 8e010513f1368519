import { vi } from 'vitest'
import type { Import, ImportDetails, ImportRow } from '#contract/imports.ts'
import { noAi } from '#web/ai/testing.ts'
import { makePage, imara } from '#web/contacts/testing.ts'
import { nora } from '#web/testing.ts'

export const importId = '01930000-0000-7000-8000-0000000000b1'
const changeId = '01930000-0000-7000-8000-0000000000e5'

/** An import that was uploaded and not started. */
const uploaded: Import = {
  id: importId,
  created_at: '2026-11-20T09:00:00.000Z',
  kind: 'contact',
  file_name: 'workshop-contacts.csv',
  file_size: 1200,
  status: 'uploaded',
  mode: 'both',
  created: 0,
  updated: 0,
  skipped: 0,
  failed: 0,
  with_remarks: 0,
  rows_done: 0,
  rows_total: null,
  problem: '',
  started_at: null,
  finished_at: null,
  change_id: null,
  undone: false,
  kept: 0,
  undo_id: null,
  redo_id: null,
}

/** A finished import with created, updated, skipped and failed rows. */
export const finished: Import = {
  ...uploaded,
  status: 'finished',
  created: 1614,
  updated: 302,
  skipped: 47,
  failed: 37,
  rows_done: 2000,
  rows_total: 2000,
  started_at: '2026-11-20T09:00:00.000Z',
  finished_at: '2026-11-20T09:00:48.000Z',
  change_id: changeId,
  undo_id: changeId,
}

/** An import that has done 738 of 1,210 rows. */
export const running: Import = {
  ...finished,
  status: 'running',
  created: 730,
  updated: 5,
  skipped: 2,
  failed: 1,
  rows_done: 738,
  rows_total: 1210,
  finished_at: null,
}

const table: ImportDetails['table'] = {
  format: 'delimited',
  encoding: 'utf-8',
  separator: ';',
  sheet: null,
  sheets: [],
  has_header: true,
  findings: [{ code: 'separator', message: 'The cells are separated by a semicolon.' }],
  columns: [
    { header: 'Vorname', samples: ['Anneke', 'Tobias'], field: 'first_name', certainty: 'sure', reason: 'header' },
    { header: 'Kontakt', samples: ['anneke@tidewick.example'], field: 'email', certainty: 'unsure', reason: 'content' },
    { header: 'Favourite wood', samples: ['Oak', 'Ash'], field: null, certainty: 'unsure', reason: 'unknown' },
  ],
  preview: [
    {
      line: 2,
      cells: ['Anneke', 'anneke@tidewick.example', 'Oak'],
      record: {
        fields: { first_name: 'Anneke', email: 'anneke@tidewick.example' },
        links: {},
        notes: '',
        raw_data: { 'Favourite wood': 'Oak' },
        problem: '',
        remarks: [],
      },
    },
    {
      line: 3,
      cells: ['', '', 'Ash'],
      record: {
        fields: {},
        links: {},
        notes: '',
        raw_data: { 'Favourite wood': 'Ash' },
        problem: 'This row has no name, email or phone.',
        remarks: [],
      },
    },
  ],
}

/** Adds the columns of a file to an import, by default to one that was not started. */
export const withTable = (summary: Import = uploaded): ImportDetails => ({ ...summary, table })

export const failedRow: ImportRow = {
  id: '01930000-0000-7000-8000-0000000000c1',
  line: 412,
  column: 'E-Mail',
  reason: '“ulla@@hofmeyr.example” is not an email.',
  cells: ['', 'ulla@@hofmeyr.example'],
}

/** The mock responses for the list of contacts and for an uploaded import. */
export const importHandlers = {
  'GET /api/session': nora,
  'GET /api/ai': noAi,
  'GET /api/contacts': makePage([imara]),
  'GET /api/contacts/count': { count: 1, more: false },
  'GET /api/views': { rows: [] },
  'GET /api/imports': { rows: [finished], next: null },
  'GET /api/imports/{id}': withTable(),
}

type Upload = { path: string; content: string; progress: (sentBytes: number) => void }

/** Replaces XMLHttpRequest, with which files are uploaded. `receive` returns the response; the request waits for its promise. */
export function mockUpload(receive: (upload: Upload) => Response | Promise<Response>): void {
  const Request = class extends EventTarget {
    readonly upload = new EventTarget()
    status = 0
    responseText = ''
    #path = ''
    #isAborted = false
    open(_method: string, path: string): void {
      this.#path = path
    }
    setRequestHeader(): void {}
    getResponseHeader(): null {
      return null
    }
    abort(): void {
      this.#isAborted = true
      this.#end('abort')
    }
    send(body: Blob): void {
      void this.#receive(body)
    }
    async #receive(body: Blob): Promise<void> {
      const progress = (loaded: number): void => {
        this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded }))
      }
      const response = await receive({ path: this.#path, content: await body.text(), progress })
      if (this.#isAborted) return
      this.status = response.status
      this.responseText = await response.text()
      this.#end('load')
    }
    #end(name: string): void {
      this.dispatchEvent(new Event(name))
      this.dispatchEvent(new Event('loadend'))
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request)
}
