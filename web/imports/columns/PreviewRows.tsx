import { IconAlertTriangle } from '@tabler/icons-react'
import type { ImportKind, ImportTable } from '#contract/imports.ts'
import { capitalise, formatMoney, formatNumber } from '#web/lib/format.ts'
import { importNouns } from '../kinds.ts'
import { getFieldLabel } from './fields.ts'
import classes from './PreviewRows.module.css'

type PreviewRow = ImportTable['preview'][number]

/** The first rows of the file as the records that they will become. */
export function PreviewRows({ kind, table: { preview } }: { kind: ImportKind; table: ImportTable }) {
  if (preview.length === 0) return <p className={classes['none']}>The file has no rows.</p>
  return (
    <ul className={classes['list']} aria-label={`First ${importNouns[kind].plural}`}>
      {preview.map((row) => (
        <PreviewCard key={row.line} kind={kind} row={row} />
      ))}
    </ul>
  )
}

function PreviewCard({ kind, row: { line, record } }: { kind: ImportKind; row: PreviewRow }) {
  const { fields, links, notes, raw_data: rawData, problem, remarks } = record
  const values = [
    ...Object.entries(fields).filter(([name]) => !titleFields[kind].includes(name)),
    ...Object.entries(links),
    ...(notes === '' ? [] : [['notes', notes] as const]),
  ]
  const title = titleFields[kind].flatMap((name) => fields[name] ?? []).join(' ')
  return (
    <li className={classes['card']}>
      <p className={classes['title']}>
        <span dir="auto">{title || (titleFields[kind].includes('title') ? 'Without a title' : 'Without a name')}</span>
        <span className={classes['line']}>Line {line}</span>
      </p>
      {problem && (
        <p className={classes['problem']}>
          <IconAlertTriangle size={14} stroke={1.75} aria-hidden />
          This row would fail. {problem}
        </p>
      )}
      {remarks.length > 0 && (
        <ul className={classes['remarks']} aria-label={`Remarks on line ${line}`}>
          {remarks.map(({ column, reason }) => (
            <li key={column}>
              <span dir="auto">{column}</span>: {reason}
            </li>
          ))}
        </ul>
      )}
      {values.length > 0 && (
        <dl className={classes['facts']}>
          {values.map(([name, value]) => (
            <Fact key={name} label={getFieldLabel(kind, name)} value={formatValue(name, value)} />
          ))}
        </dl>
      )}
      {Object.keys(rawData).length > 0 && kind === 'contact' && (
        <>
          <p className={classes['extraTitle']}>Additional data</p>
          <dl className={classes['facts']}>
            {Object.entries(rawData).map(([header, value]) => (
              <Fact key={header} label={header} value={value} />
            ))}
          </dl>
        </>
      )}
    </li>
  )
}

function formatValue(name: string, value: string | number | string[]): string {
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'string') return choiceFields.has(name) ? capitalise(value.replaceAll('-', ' ')) : value
  if (name === 'value') return formatMoney(value)
  return name === 'probability' ? `${value} %` : formatNumber(value)
}

/** The fields whose values are choices, such as "closed-won". */
const choiceFields: ReadonlySet<string> = new Set(['stage', 'status', 'priority'])

/** The fields of the title of a card, in their order. */
const titleFields: Record<ImportKind, readonly string[]> = {
  contact: ['first_name', 'last_name'],
  company: ['name'],
  deal: ['title'],
  task: ['title'],
}

const Fact = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt dir="auto">{label}</dt>
    <dd dir="auto">{value}</dd>
  </div>
)
