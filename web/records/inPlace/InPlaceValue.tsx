import { ActionIcon } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react'
import { createRecordForm, type SavedRecord } from '#web/records/form/recordForm.ts'
import { hasDraft } from '#web/records/form/useRecordEditor.ts'
import { InPlaceEditor, type EditedRecord } from './InPlaceEditor.tsx'
import classes from './InPlaceValue.module.css'

type InPlaceValueProps<Full extends SavedRecord> = EditedRecord<Full> & {
  /** The fields that are edited and saved together. */
  fields: readonly string[]
  /** The name of the value for screen readers: "phone". */
  noun: string
  /** Further buttons for the value, next to the edit button. */
  buttons?: ReactNode
  children: ReactNode
}

/** Returns true if this browser tab has unsaved input for these fields of the record. */
export const hasInPlaceDraft = <Full extends SavedRecord>({ kind, record }: EditedRecord<Full>, fields: readonly string[]): boolean =>
  hasDraft(createRecordForm(kind, fields), record.id)

/**
 * A value that can be edited where it is shown: a click on it (but not on its links) or on its edit button opens the editor. The editor is
 * also open at first if this browser tab has unsaved input for the value.
 */
export function InPlaceValue<Full extends SavedRecord>({ buttons, children, ...props }: InPlaceValueProps<Full>) {
  const { fields, noun } = props
  const [isOpen, setIsOpen] = useState(() => hasInPlaceDraft(props, fields))
  const area = useRef<HTMLDivElement>(null)
  const editButton = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false) // whether the editor had the focus when it was closed
  useEffect(() => {
    if (!isOpen && hadFocus.current) editButton.current?.focus({ preventScroll: true })
    hadFocus.current = false
  }, [isOpen])
  const close = (): void => {
    hadFocus.current = area.current?.contains(document.activeElement) ?? false
    setIsOpen(false)
  }
  const openOnClick = ({ target }: MouseEvent): void => {
    const isOnControl = target instanceof Element && target.closest('a, button, input') !== null
    const isSelectingText = document.getSelection()?.type === 'Range'
    if (!isOnControl && !isSelectingText) setIsOpen(true)
  }
  if (isOpen)
    return (
      <div ref={area} className={classes['area']} data-editing>
        <InPlaceEditor {...props} onClose={close} />
      </div>
    )
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- the edit button does the same
    <div ref={area} className={classes['area']} onClick={openOnClick}>
      <div className={classes['value']} dir="auto">
        {children}
      </div>
      <span className={classes['buttons']}>
        {buttons}
        <ActionIcon ref={editButton} size={26} aria-label={`Edit ${noun}`} title={`Edit ${noun}`} onClick={() => setIsOpen(true)}>
          <IconPencil size={16} stroke={1.75} />
        </ActionIcon>
      </span>
    </div>
  )
}
