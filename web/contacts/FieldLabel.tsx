import classes from './ContactForm.module.css'
import { contactLabels, type ContactField } from './contactValues.ts'

const required: readonly ContactField[] = ['first_name', 'last_name']

/** The name of a field; optional is said, required is not. */
export const FieldLabel = ({ field }: { field: ContactField }) => (
  <>
    {contactLabels[field]}
    {!required.includes(field) && <span className={classes['optional']}> optional</span>}
  </>
)
