type Props = {
  name: string
  label: string
  value: string
  message: string | undefined
  type?: 'text' | 'email' | 'tel'
  isLong?: boolean
  required?: boolean
  maxLength: number
  autoComplete?: string
}

/** A field with its label, and a message that says what is wrong with its value. */
export function TextField({
  name,
  label,
  value,
  message,
  type = 'text',
  isLong = false,
  required = false,
  maxLength,
  autoComplete,
}: Props) {
  const shared = {
    id: name,
    name,
    className: 'input',
    defaultValue: value,
    required,
    maxLength,
    autoComplete,
    'aria-describedby': `${name}-message`,
    'aria-invalid': message !== undefined || undefined,
  }
  return (
    <div className="field">
      <label htmlFor={name}>
        {label} {!required && <span className="optional">optional</span>}
      </label>
      {isLong ? <textarea rows={3} {...shared} /> : <input type={type} {...shared} />}
      <Message name={name} text={message} />
    </div>
  )
}

type MessageProps = { name: string; text: string | undefined; lastingText?: string }

/** The message of a field. The script also writes to this element, and shows `lastingText` again while the field has no message. */
export const Message = ({ name, text, lastingText = '' }: MessageProps) => (
  <p id={`${name}-message`} className="message" data-lasting={lastingText || undefined}>
    {text}
  </p>
)
