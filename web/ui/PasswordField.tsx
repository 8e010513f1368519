import '@mantine/core/styles/PasswordInput.layer.css'
import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useState } from 'react'

type PasswordFieldProps = Omit<PasswordInputProps, 'description' | 'autoComplete'> & {
  /** `off` is for secrets other than the password of the account, such as the password of a PDF file. */
  autoComplete: 'current-password' | 'new-password' | 'off'
  /** For example the rule for the password. Hidden while an error is shown. */
  hint?: string | false
}

/** A password field with a button that shows or hides the password. */
export function PasswordField({ hint, error, ...field }: PasswordFieldProps) {
  const [visible, setVisible] = useState(false)
  return (
    <PasswordInput
      {...field}
      error={error}
      description={!error && hint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      visible={visible}
      onVisibilityChange={setVisible}
      visibilityToggleButtonProps={{ 'aria-label': visible ? 'Hide password' : 'Show password', 'aria-pressed': undefined }}
    />
  )
}
