import { describeMissing, formLimits, type FormField } from '#contract/formFields.ts'
import { fieldPrefix } from '#contract/visitorForms.ts'

/** The values of the attribute `autocomplete`, by the name or the type of the field. */
const autoComplete: Readonly<Record<string, string>> = { first_name: 'given-name', last_name: 'family-name', email: 'email', tel: 'tel' }

/** `marked`: whether required fields have a star, or optional ones the word _optional_. */
type FieldProps = { field: FormField; values: readonly string[]; message: string | undefined; marked?: 'required' | 'optional' }

/** A field of a public form with its label, and its message if the answer was refused. */
export function FormFieldInput({ field, values, message, marked = 'required' }: FieldProps) {
  const { field_type: type, field_name: name, field_label: label } = field
  if (type === 'heading') return <h2 className="heading">{label}</h2>
  if (type === 'hidden') return <input type="hidden" name={fieldPrefix + name} value={values[0] ?? ''} />
  if (type === 'radio' || type === 'checkbox') return <Choices field={field} values={values} message={message} marked={marked} />
  if (type === 'consent') return <Consent field={field} values={values} message={message} marked={marked} />
  return (
    <div className="field" {...toAttributes(field)}>
      <label htmlFor={`field-${name}`}>
        {label}
        <Mark field={field} marked={marked} />
      </label>
      <Input field={field} value={values[0] ?? ''} isInvalid={message !== undefined} />
      <Message name={name} text={message} />
    </div>
  )
}

/** What the script reads. `data-missing`: the message if the field is required and has no answer. */
const toAttributes = (field: FormField) => ({
  'data-id': field.id,
  'data-field': field.field_name,
  'data-label': field.field_label,
  'data-missing': field.is_required ? describeMissing(field) : undefined,
})

function Input({ field, value, isInvalid }: { field: FormField; value: string; isInvalid: boolean }) {
  const { field_type: type, field_name: name, placeholder, options, is_required: required } = field
  const shared = {
    id: `field-${name}`,
    name: fieldPrefix + name,
    required,
    'aria-describedby': `message-${name}`,
    'aria-invalid': isInvalid || undefined,
  }
  if (type === 'textarea') return <textarea {...shared} rows={4} maxLength={10_000} placeholder={placeholder} defaultValue={value} />
  if (type === 'select')
    return (
      <select {...shared} defaultValue={value}>
        <option value="">{placeholder || 'Choose…'}</option>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    )
  if (type === 'file') return <input {...shared} type="file" multiple data-max-bytes={formLimits.totalFileBytes} />
  const completion = autoComplete[name] ?? autoComplete[type]
  return (
    <input
      {...shared}
      type={type}
      step={type === 'number' ? 'any' : undefined}
      placeholder={placeholder || undefined}
      defaultValue={value}
      autoComplete={completion}
    />
  )
}

function Choices({ field, values, message, marked }: FieldProps) {
  const { field_type: type, field_name: name, field_label: label, options, is_required: isRequired } = field
  return (
    <fieldset className="field" {...toAttributes(field)} aria-describedby={`message-${name}`}>
      <legend>
        {label}
        <Mark field={field} marked={marked} />
      </legend>
      {options.map((option) => (
        <label key={option} className="choice">
          <input
            type={type}
            name={fieldPrefix + name}
            value={option}
            defaultChecked={values.includes(option)}
            required={type === 'radio' && isRequired}
            aria-invalid={message !== undefined || undefined}
          />
          {option}
        </label>
      ))}
      <Message name={name} text={message} />
    </fieldset>
  )
}

function Consent({ field, values, message, marked }: FieldProps) {
  const { field_name: name, field_label: label, is_required: isRequired } = field
  return (
    <div className="field" {...toAttributes(field)}>
      <label className="choice">
        <input
          type="checkbox"
          name={fieldPrefix + name}
          value="yes"
          defaultChecked={values.includes('yes')}
          required={isRequired}
          aria-describedby={`message-${name}`}
          aria-invalid={message !== undefined || undefined}
        />
        <span>
          {label}
          <Mark field={field} marked={marked} />
        </span>
      </label>
      <Message name={name} text={message} />
    </div>
  )
}

function Mark({ field: { is_required: isRequired }, marked }: Pick<FieldProps, 'field' | 'marked'>) {
  if (marked === 'optional') return isRequired ? null : <span className="optional"> optional</span>
  if (!isRequired) return null
  return (
    <span className="required" aria-hidden="true">
      {' '}
      *
    </span>
  )
}

const Message = ({ name, text = '' }: { name: string; text: string | undefined }) => (
  <p id={`message-${name}`} className="message">
    {text}
  </p>
)
