import { PageBar } from '#web/ui/PageBar.tsx'
import { BackToContacts } from './BackToContacts.tsx'
import classes from './FormSkeleton.module.css'

const fields = ['first', 'last', 'email', 'phone', 'mobile', 'company', 'title', 'department']

/** The form before its contact is there: the fields in their places, without words. */
export function FormSkeleton({ title }: { title: string }) {
  return (
    <>
      <PageBar title={title} breadcrumb={[<BackToContacts key="back" />]} />
      <output className={classes['column']} aria-label="Loading">
        {fields.map((field) => (
          <span key={field} className={classes['field']} data-field={field} />
        ))}
      </output>
    </>
  )
}
