import type { TimelineEntry } from '#contract/changes.ts'
import { telling, type TimelineLine } from '#web/records/panel/timelineText.ts'
import { contactLabels } from './contactKind.ts'

const tell = telling({
  noun: 'contact',
  labels: { ...contactLabels, raw_data: 'Details of the import' },
  hidden: ['company_id', 'reports_to_id', 'description', 'raw_data'],
})

/** What happened to a contact, in words. That its company is linked goes without saying where the company's name is told. */
export const timelineWords = (entry: TimelineEntry): TimelineLine[] =>
  tell({ ...entry, columns: entry.columns.filter(({ name }) => name !== 'company_id' || !tellsCompany(entry)) })

const tellsCompany = ({ columns }: TimelineEntry): boolean => columns.some(({ name }) => name === 'company')
