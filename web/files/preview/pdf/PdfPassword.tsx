import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { focusWhenUnfocused } from '../focusWhenUnfocused.ts'
import classes from './Pdf.module.css'

type PdfPasswordProps = {
  /** The number of passwords that did not open the file. */
  wrongCount: number
  onSubmit: (password: string) => void
}

/** Asks for the password of a PDF. The password stays in the browser. */
export function PdfPassword({ wrongCount, onSubmit }: PdfPasswordProps) {
  const [password, setPassword] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (wrongCount === 0) return focusWhenUnfocused(field.current)
    field.current?.focus()
    field.current?.select()
  }, [wrongCount])
  return (
    <form
      className={classes['password']}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(password)
      }}
    >
      <h2>This PDF is protected with a password</h2>
      <p>The password is used in this browser only. It is not stored.</p>
      <PasswordField
        ref={field}
        label="Password of the file"
        autoComplete="off"
        value={password}
        error={wrongCount > 0 && 'This password does not open the file'}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" variant="filled" disabled={password === ''}>
        Open
      </Button>
    </form>
  )
}
