import { IconArrowRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ProposalItem } from '#contract/proposals.ts'
import type { KindFields } from '#web/lib/features.ts'
import { getFieldLabel } from './describe.ts'
import { ItemValue } from './ItemValue.tsx'
import classes from './ProposalItem.module.css'

type ItemFieldsProps = {
  item: ProposalItem
  /** The values that the change sets, as the user has edited them. */
  values: Readonly<Record<string, unknown>>
  kindFields: KindFields | undefined
  errors: Readonly<Record<string, string>>
  /** The change was applied or left out. */
  isClosed?: boolean
}

/** The fields of a change with their values before and after; the values of a new record; the tags that are added and removed. */
export function ItemFields({ item, values, kindFields, errors, isClosed = false }: ItemFieldsProps) {
  if (item.action === 'delete')
    return !isClosed && <p className={classes['deletion']}>Will be deleted. It stays in the trash for 30 days.</p>
  if (item.action === 'tag') return <TagFields values={values} />
  const names = listShownFields(values, kindFields).filter((name) => name in errors || isChanged(item, values, name))
  const valueProps = (name: string) => ({ field: kindFields?.fields[name], titles: item.link_titles })
  return (
    <dl className={classes['fields']}>
      {names.map((name) => (
        <FieldLine
          key={name}
          label={getFieldLabel(kindFields?.fields, name)}
          error={errors[name]}
          isLong={kindFields?.fields[name]?.isLong}
        >
          {item.action === 'update' && (
            <>
              <del>
                <ItemValue {...valueProps(name)} value={item.before[name]} />
              </del>
              <IconArrowRight size={14} stroke={1.75} aria-hidden />
            </>
          )}
          <ins>
            <ItemValue {...valueProps(name)} value={values[name]} />
          </ins>
        </FieldLine>
      ))}
    </dl>
  )
}

/** Returns false for a field that a change sets to the value that the record has already. */
const isChanged = ({ action, before }: ProposalItem, values: Readonly<Record<string, unknown>>, name: string): boolean =>
  action !== 'update' || JSON.stringify(before[name]) !== JSON.stringify(values[name])

/** A link and the title of its record are one field for the user. */
function listShownFields(values: Readonly<Record<string, unknown>>, kindFields: KindFields | undefined): string[] {
  const isShownByTitle = (name: string): boolean => (kindFields?.fields[name]?.titleField ?? name) !== name
  const names = Object.keys(values)
  return names.filter((name) => !isShownByTitle(name) || !names.includes(kindFields?.fields[name]?.titleField ?? ''))
}

function TagFields({ values }: { values: Readonly<Record<string, unknown>> }) {
  const lines = [
    { label: 'Add tags', tags: readTags(values['add']) },
    { label: 'Remove tags', tags: readTags(values['remove']) },
  ]
  return (
    <dl className={classes['fields']}>
      {lines
        .filter(({ tags }) => tags.length > 0)
        .map(({ label, tags }) => (
          <FieldLine key={label} label={label}>
            {label === 'Add tags' ? <ins>{tags.join(', ')}</ins> : <del>{tags.join(', ')}</del>}
          </FieldLine>
        ))}
    </dl>
  )
}

/** Returns the tags in a value of a change. */
export const readTags = (value: unknown): string[] => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [])

type FieldLineProps = { label: string; error?: string | undefined; isLong?: boolean | undefined; children: ReactNode }

const FieldLine = ({ label, error, isLong, children }: FieldLineProps) => (
  <div className={classes['line']} data-long={isLong || undefined}>
    <dt>{label}</dt>
    <dd>
      {children}
      {error !== undefined && <span className={classes['error']}>{error}</span>}
    </dd>
  </div>
)
