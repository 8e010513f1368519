import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { recordKinds } from './kinds.ts'
import type { Filters } from './lists.ts'
import { Instant, multilineText, RecordDay, requiredText, removeInputChecks } from './fields.ts'
import { NewRecordId, recordRoutes, systemFields, Version } from './records.ts'

export const taskStatuses = ['pending', 'in-progress', 'completed'] as const
export type TaskStatus = (typeof taskStatuses)[number]

export const taskPriorities = ['low', 'medium', 'high'] as const
export type TaskPriority = (typeof taskPriorities)[number]

/** The columns of an export, in their order. */
export const taskColumns = [
  'title',
  'status',
  'priority',
  'due_date',
  'completed_at',
  'contact_name',
  'deal_title',
  'description',
  'created_at',
] as const

const taskSorts = ['newest', 'due_date', 'title', 'priority'] as const

export const taskFilters = {
  title: 'text',
  status: 'choice',
  priority: 'choice',
  due_date: 'date',
  contact_id: 'link',
  deal_id: 'link',
  completed_at: 'instant',
  created_at: 'instant',
} as const satisfies Filters

const fields = {
  title: requiredText('title', 200),
  description: multilineText,
  status: z.enum(taskStatuses),
  priority: z.enum(taskPriorities),
  due_date: z.nullable(RecordDay),
  contact_id: z.nullable(z.uuid()),
  deal_id: z.nullable(z.uuid()),
}

/** The fields of the form. */
export const TaskFields = z.strictObject(fields)
export type TaskFields = z.output<typeof TaskFields>

export const emptyTask: TaskFields = {
  title: '',
  description: '',
  status: 'pending',
  priority: 'medium',
  due_date: null,
  contact_id: null,
  deal_id: null,
}

export const Task = z.object({
  ...systemFields,
  ...removeInputChecks(fields),
  /** The names of the linked records; empty if there is no link. */
  contact_name: z.string(),
  deal_title: z.string(),
  /** Set while the status is completed. */
  completed_at: z.nullable(Instant),
})
export type Task = z.infer<typeof Task>

/** A task in a list. */
export const TaskRow = z.omit(Task, { description: true, updated_at: true })
export type TaskRow = z.infer<typeof TaskRow>

const optionalFields = z.partial(TaskFields)

/** A new task. Omitted fields are empty; the default status is pending, the default priority medium. */
const NewTask = z.extend(optionalFields, { title: fields.title, id: NewRecordId })

/** The changed fields, and the version that the edit started from; without the version the edit overwrites newer changes. */
const TaskPatch = z.extend(optionalFields, { version: Version })

export const taskRoutes = recordRoutes({
  kind: recordKinds.task,
  FullRecord: Task,
  Row: TaskRow,
  New: NewTask,
  Patch: TaskPatch,
  BulkPatch: z.pick(optionalFields, { status: true, priority: true, due_date: true }),
  sorts: taskSorts,
  filters: taskFilters,
  columns: taskColumns,
  example: {
    query: { search: 'drawings', sort: 'due_date', limit: '10', filter: '[{"field":"due_date","is":["today","overdue"]}]' },
    new: {
      title: 'Send the drawings',
      due_date: '2026-11-21',
      priority: 'high',
      contact_id: exampleId('contact'),
      deal_id: exampleId('deal'),
    },
    patch: { status: 'completed' },
    bulkPatch: { priority: 'low' },
  },
})
