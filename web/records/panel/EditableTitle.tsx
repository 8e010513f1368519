import type { ReactNode } from 'react'
import type { SavedRecord } from '#web/records/form/recordForm.ts'
import classes from './EditableTitle.module.css'
import type { EditedRecord } from '#web/records/inPlace/InPlaceEditor.tsx'
import { InPlaceValue } from '#web/records/inPlace/InPlaceValue.tsx'

type EditableTitleProps<Full extends SavedRecord> = EditedRecord<Full> & {
  fields: readonly string[]
  /** What screen readers call the title, for example "name". */
  noun: string
  children: ReactNode
}

/** The title of a record, which is edited in place. */
export const EditableTitle = <Full extends SavedRecord>({ children, ...props }: EditableTitleProps<Full>) => (
  <div className={classes['title']}>
    <InPlaceValue {...props} key={props.record.id}>
      {children}
    </InPlaceValue>
  </div>
)
