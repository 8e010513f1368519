import type { FormField } from '#contract/formFields.ts'
import { toSentFields } from '#web/records/formFields/fieldDrafts.ts'
import type { FormDraft } from './draft.ts'
import classes from './FormPreview.module.css'

/** Shows the form as visitors see it. The preview takes no input. */
export function FormPreview({ draft }: { draft: FormDraft }) {
  const fixed = [
    { id: 'first', label: 'First Name' },
    { id: 'last', label: 'Last Name' },
  ]
  return (
    <section className={classes['preview']} aria-labelledby="form-preview">
      <h2 id="form-preview" className={classes['head']}>
        Preview
      </h2>
      <div className={classes['paper']} inert>
        <p className={classes['title']}>{draft.title || 'Untitled form'}</p>
        {draft.description !== '' && <p className={classes['description']}>{draft.description}</p>}
        {fixed.map(({ id, label }) => (
          <div key={id} className={classes['field']}>
            <Label text={label} isRequired />
            <span className={classes['box']} />
          </div>
        ))}
        {draft.fields.map((field) => (
          <PreviewField key={field.id} field={field} />
        ))}
        <span className={classes['submit']}>Submit</span>
      </div>
    </section>
  )
}

function PreviewField({ field }: { field: FormField }) {
  const { field_type: type, placeholder } = field
  const label = field.field_label || 'Label'
  const [{ options, is_required: isRequired } = { options: [], is_required: false }] = toSentFields([field])
  if (type === 'hidden') return null
  if (type === 'heading') return <p className={classes['heading']}>{label}</p>
  if (type === 'consent')
    return (
      <p className={classes['choice']}>
        <span className={classes['mark']} />
        <Label text={label} isRequired={isRequired} />
      </p>
    )
  return (
    <div className={classes['field']}>
      <Label text={label} isRequired={isRequired} />
      {type === 'radio' || type === 'checkbox' ? (
        options.map((option) => (
          <p key={option} className={classes['choice']}>
            <span className={classes['mark']} data-round={type === 'radio' || undefined} />
            {option}
          </p>
        ))
      ) : (
        <span className={classes['box']} data-large={type === 'textarea' || undefined}>
          {type === 'file' ? 'Choose files' : placeholder || (type === 'select' && 'Choose…')}
        </span>
      )}
    </div>
  )
}

const Label = ({ text, isRequired }: { text: string; isRequired: boolean }) => (
  <span className={classes['label']} dir="auto">
    {text}
    {isRequired && <span className={classes['required']}> *</span>}
  </span>
)
