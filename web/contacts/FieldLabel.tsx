import classes from './ContactForm.module.css'
import type { ContactFields } from '#contract/contacts.ts'
import { contactLabels } from './contactKind.ts'

const required: readonly (keyof ContactFields)[] = ['first_name', 'last_name']

/** The name of a field; optional is said, required is not. */
export const FieldLabel = ({ field }: { field: keyof ContactFields }) => (
  <>
    {contactLabels[field]}
    {!required.includes(field) && <span className={classes['optional']}> optional</span>}
  </>
)
