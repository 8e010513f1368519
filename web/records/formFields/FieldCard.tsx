import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { IconGripVertical, IconTrash } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import type { FieldType, FormField } from '#contract/formFields.ts'
import rowButton from '#web/ui/RowButton.module.css'
import { ToggleSwitch } from '#web/ui/ToggleSwitch.tsx'
import { canBeRequired, hasOptions } from './fieldDrafts.ts'
import { fieldTypeLabels } from './fieldTypeLabels.ts'
import grid from '#web/ui/fieldGrid.module.css'
import classes from './FieldList.module.css'

type FieldCardProps = {
  field: FormField
  index: number
  /** The name that the field gets if it has none. */
  defaultName: string
  types: readonly FieldType[]
  errors: Readonly<Record<string, string>>
  isDragged: boolean
  onChange: (changes: Partial<FormField>) => void
  onRemove: () => void
  onDragHandleKeyDown: (event: KeyboardEvent) => void
}

const hasPlaceholder = (type: FieldType): boolean => ['text', 'email', 'tel', 'textarea', 'number', 'select'].includes(type)

/** The card that edits one field of a form. */
export function FieldCard({
  field,
  index,
  defaultName,
  types,
  errors,
  isDragged,
  onChange,
  onRemove,
  onDragHandleKeyDown,
}: FieldCardProps) {
  const { id, field_label: label, field_type: type } = field
  const name = label || `field ${index + 1}`
  return (
    <li className={classes['card']} data-field-row data-dragged={isDragged || undefined} aria-label={name}>
      <div className={classes['side']}>
        <button
          type="button"
          className={rowButton['button']}
          data-drag-field={id}
          data-mantine-stop-propagation={isDragged || undefined} // so that Escape cancels the drag and does not close the dialog
          aria-label={`Move ${name}`}
          title="Drag, or press the arrow keys"
          onKeyDown={onDragHandleKeyDown}
        >
          <IconGripVertical size={18} stroke={1.6} />
        </button>
        <button type="button" className={rowButton['button']} aria-label={`Remove ${name}`} title="Remove" onClick={onRemove}>
          <IconTrash size={18} stroke={1.6} />
        </button>
      </div>
      <div className={classes['inputs']}>
        <TextInput
          label="Label"
          data-field-label={id}
          value={label}
          error={errors['field_label']}
          maxLength={200}
          autoComplete="off"
          onChange={({ currentTarget: { value } }) => onChange({ field_label: value })}
        />
        <NativeSelect
          label="Type"
          data={types.map((each) => ({ value: each, label: fieldTypeLabels[each] }))}
          value={type}
          onChange={({ currentTarget: { value } }) => {
            const selectedType = types.find((each) => each === value)
            if (selectedType) onChange({ field_type: selectedType })
          }}
        />
        {(type !== 'heading' || errors['field_name']) && (
          <TextInput
            label="Name (ID)"
            placeholder={defaultName}
            value={field.field_name}
            error={errors['field_name']}
            maxLength={50}
            autoComplete="off"
            spellCheck={false}
            onChange={({ currentTarget: { value } }) => onChange({ field_name: value })}
          />
        )}
        {hasPlaceholder(type) && (
          <TextInput
            label="Placeholder"
            value={field.placeholder}
            error={errors['placeholder']}
            maxLength={200}
            autoComplete="off"
            onChange={({ currentTarget: { value } }) => onChange({ placeholder: value })}
          />
        )}
        {hasOptions(type) && (
          <Textarea
            className={grid['wide']}
            label="Options"
            description="One on each line"
            autosize
            minRows={3}
            maxRows={12}
            value={field.options.join('\n')}
            error={errors['options']}
            onChange={({ currentTarget: { value } }) => onChange({ options: value.split('\n') })}
          />
        )}
        {type === 'hidden' && (
          <p className={`${grid['hint']} ${classes['hint']}`}>
            Visitors do not see it. It takes its value from the address of the page, such as{' '}
            <code>?{field.field_name || defaultName}=fair</code>.
          </p>
        )}
        {canBeRequired(type) && (
          <ToggleSwitch
            className={grid['wide']}
            label="Required"
            checked={field.is_required}
            onChange={(checked) => onChange({ is_required: checked })}
          />
        )}
      </div>
    </li>
  )
}
