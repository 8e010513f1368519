import { Button } from '@mantine/core'
import { useState } from 'react'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import classes from './Pdf.module.css'

/** Asks for the password of a PDF. `isWrong`: the last password did not open it. The password stays in the browser. */
export function PdfPassword({ isWrong, onSubmit }: { isWrong: boolean; onSubmit: (password: string) => void }) {
  const [password, setPassword] = useState('')
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
        label="Password of the file"
        autoComplete="off"
        value={password}
        error={isWrong && 'This password does not open the file'}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" variant="filled" disabled={password === ''}>
        Open
      </Button>
    </form>
  )
}
