import { NativeSelect } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { memo, useMemo } from 'react'
import { leftOutField } from '#contract/importFields.ts'
import type { ImportColumn, ImportKind, ImportTable } from '#contract/imports.ts'
import classes from './ColumnList.module.css'
import { getFieldOptions } from './fields.ts'

type ColumnListProps = {
  kind: ImportKind
  table: ImportTable
  /** No field can be chosen, for example while the AI is asked. */
  isLocked: boolean
  onChoose: (index: number, field: string | null) => void
}

/** The columns of a file, each with the field to which it is mapped. */
export function ColumnList({ kind, table, isLocked, onChoose }: ColumnListProps) {
  const options = useMemo(() => getFieldOptions(kind), [kind])
  return (
    <fieldset className={classes['columns']} aria-label="Fields of the columns" disabled={isLocked}>
      <div className={classes['head']} aria-hidden>
        <span>Column in the file</span>
        <span>First values</span>
        <span>Goes to</span>
        <span>Match</span>
      </div>
      <ul className={classes['list']} aria-label="Columns in the file">
        {table.columns.map((column, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the columns are identified by their position
          <ColumnRow key={index} column={column} index={index} options={options} onChoose={onChoose} />
        ))}
      </ul>
    </fieldset>
  )
}

type ColumnRowProps = Pick<ColumnListProps, 'onChoose'> & {
  column: ImportColumn
  index: number
  options: ReturnType<typeof getFieldOptions>
}

/** Renders again only when its column changes, because a file may have 1,000 columns. */
const ColumnRow = memo(
  ({ column, index, options, onChoose }: ColumnRowProps) => {
    const { header, samples, field, certainty } = column
    const isUnsure = field !== null && certainty === 'unsure'
    return (
      <li className={classes['row']} data-empty={field === null || field === leftOutField || undefined}>
        <p className={classes['header']} title={header} dir="auto">
          {header}
        </p>
        <p className={classes['samples']}>
          {samples.slice(0, 2).map((sample) => (
            <span key={sample} title={sample} dir="auto">
              {sample}
            </span>
          ))}
          {samples.length === 0 && <span title="No values in the first rows">No values</span>}
        </p>
        <NativeSelect
          className={classes['select'] ?? ''}
          aria-label={`Field for ${header}`}
          value={field ?? ''}
          data={options}
          onChange={({ currentTarget }) => onChoose(index, currentTarget.value === '' ? null : currentTarget.value)}
        />
        <p className={classes['match']} data-unsure={isUnsure || undefined}>
          {isUnsure && <IconAlertTriangle size={14} stroke={1.75} aria-hidden />}
          <span>{describeMatch(column)}</span>
        </p>
      </li>
    )
  },
  (previous, next) => JSON.stringify(previous.column) === JSON.stringify(next.column) && previous.options === next.options,
)

/** Columns with a field have only the reasons `header`, `content`, `chosen` and `ai`. */
const fieldReasons: Record<ImportColumn['reason'], string> = {
  header: 'By its name',
  content: 'By its values',
  header_excluded: 'By its values',
  unknown: 'By its values',
  content_contradicts: 'Some values do not fit',
  other_column_preferred: 'Another column fits better',
  chosen: 'Chosen by you',
  ai: 'Suggested by AI',
}
const noFieldReasons: Record<ImportColumn['reason'], string> = {
  header: 'No field like it',
  content: 'No field like it',
  header_excluded: 'Its name fits no field',
  unknown: 'No field like it',
  content_contradicts: 'Its values do not fit its name',
  other_column_preferred: 'Another column fits better',
  chosen: 'Chosen by you',
  ai: 'The AI found no field',
}

/** Says in a few words why the column has this field or no field. */
function describeMatch({ field, certainty, reason }: ImportColumn): string {
  if (field === null) return noFieldReasons[reason]
  if (reason === 'ai') return fieldReasons.ai
  return certainty === 'unsure' ? `Please check: ${fieldReasons[reason].toLowerCase()}` : fieldReasons[reason]
}
