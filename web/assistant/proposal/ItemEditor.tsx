import '#web/ui/choices.css'
import { Button, TagsInput } from '@mantine/core'
import { useState } from 'react'
import type { ProposalItem } from '#contract/proposals.ts'
import { tagLimits } from '#contract/fields.ts'
import type { KindFields, TypedValues } from '#web/lib/features.ts'
import { readTags } from './ItemFields.tsx'
import classes from './ProposalItem.module.css'

type ItemEditorProps = {
  proposalId: string
  item: ProposalItem
  values: Readonly<Record<string, unknown>>
  kindFields: KindFields | undefined
  errors: Readonly<Record<string, string>>
  onSave: (values: Record<string, unknown>) => void
  onCancel: () => void
}

const isNewLink = (value: unknown): boolean => typeof value === 'string' && value.startsWith('new:')

/** Returns true if the values of a change can be edited. */
export const canEdit = ({ action }: ProposalItem, kindFields: KindFields | undefined): boolean =>
  action === 'tag' || (action !== 'delete' && kindFields !== undefined)

/** Edits the values of a change with the inputs of its kind. */
export function ItemEditor(props: ItemEditorProps) {
  if (props.item.action === 'tag') return <TagsEditor {...props} />
  return props.kindFields ? <FieldsOfKind {...props} kindFields={props.kindFields} /> : null
}

function FieldsOfKind({ proposalId, item, values, kindFields, errors, onSave, onCancel }: ItemEditorProps & { kindFields: KindFields }) {
  const { Editor, fields, blank } = kindFields
  /** What was typed before all fields were shown; undefined until then. */
  const [typedValues, setTypedValues] = useState<TypedValues>()
  const showsAll = typedValues !== undefined
  // a link to a new record of the same proposal has no record that an input could show
  const kept = Object.fromEntries(Object.entries(values).filter(([, value]) => isNewLink(value)))
  const shown = Object.fromEntries(Object.entries(values).filter(([name, value]) => !isNewLink(value) && name in fields))
  const titles = Object.entries(shown).flatMap(([name, id]) => {
    const titleField = fields[name]?.titleField
    if (titleField === undefined || titleField in shown) return []
    return [[titleField, typeof id === 'string' ? (item.link_titles[id] ?? '') : '']]
  })
  const edited = { ...shown, ...Object.fromEntries(titles) }
  const others = Object.keys(blank).filter((name) => !(name in edited) && !(name in kept))
  const save = (saved: Record<string, unknown>): void => {
    const isUnused = ([name, value]: [string, unknown]): boolean =>
      !(name in edited) && JSON.stringify(value) === JSON.stringify(blank[name])
    onSave({ ...kept, ...Object.fromEntries(Object.entries(saved).filter((entry) => !isUnused(entry))) })
  }
  return (
    <div className={classes['editor']}>
      <Editor
        key={String(showsAll)}
        draftName={`proposal ${proposalId} ${item.key} ${showsAll ? 'all' : ''}`}
        values={showsAll ? { ...blank, ...edited } : edited}
        typedValues={typedValues}
        errors={errors}
        onSave={save}
        onCancel={onCancel}
        onMoreFields={item.action === 'create' && !showsAll && others.length > 0 ? setTypedValues : undefined}
      />
    </div>
  )
}

function TagsEditor({ values, onSave, onCancel }: ItemEditorProps) {
  const [add, setAdd] = useState(() => readTags(values['add']))
  const [remove, setRemove] = useState(() => readTags(values['remove']))
  const inputProps = { maxTags: tagLimits.count, maxLength: tagLimits.length, splitChars: [',', ';'], acceptValueOnBlur: true }
  return (
    <div className={classes['editor']}>
      <TagsInput {...inputProps} label="Add tags" value={add} onChange={setAdd} />
      <TagsInput {...inputProps} label="Remove tags" value={remove} onChange={setRemove} />
      <div className={classes['buttons']}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button variant="default" disabled={add.length + remove.length === 0} onClick={() => onSave({ add, remove })}>
          Done
        </Button>
      </div>
    </div>
  )
}
