import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { accountSettingsRoutes } from '#contract/accountSettings.ts'
import { passwordMinLength } from '#contract/accounts.ts'
import { call, ProblemError } from '#web/lib/client.ts'
import { getFieldErrors, showFailure, createSubmitHandler } from '#web/lib/forms.ts'
import { toast } from '#web/lib/toasts.ts'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { AuthCard } from './AuthCard.tsx'
import classes from './AuthCard.module.css'

/** Sets a new password. The token in the address comes from a link, which was sent by mail or created on the server by a command. */
export function ResetPasswordPage() {
  const { token = '' } = useSearch({ from: '/auth/reset' })
  const navigate = useNavigate()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: ({ password }) => getFieldErrors(accountSettingsRoutes.resetPassword.body, { token, password }),
  })
  const reset = useMutation({
    mutationFn: (password: string) => call(accountSettingsRoutes.resetPassword, { body: { token, password } }),
    onError: (error) => !isExpired(error) && showFailure(form, error),
    onSuccess: async () => {
      toast({ kind: 'success', title: 'Success!', message: 'Your password has been changed. You can now sign in.' })
      await navigate({ to: '/auth', replace: true })
    },
  })
  if (token === '' || isExpired(reset.error)) return <LinkExpiredCard />
  return (
    <AuthCard title="Choose a new password" description="Every device that is signed in to this account will be signed out.">
      <form className={classes['form']} onSubmit={createSubmitHandler(form, ({ password }) => reset.mutate(password))} noValidate>
        <PasswordField
          label="New password"
          hint={`At least ${passwordMinLength} characters`}
          autoComplete="new-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" className={classes['submit'] ?? ''} loading={reset.isPending}>
          Save password
        </Button>
      </form>
    </AuthCard>
  )
}

const isExpired = (error: unknown): boolean => error instanceof ProblemError && error.problem.code === 'link_expired'

function LinkExpiredCard() {
  return (
    <AuthCard
      title="This link is no longer valid"
      description="It may be too old, or used already. Ask for a new one."
      below={
        <Link className="link" to="/auth">
          Back to sign in
        </Link>
      }
    >
      <Button component={Link} to="/auth/forgot" fullWidth className={classes['submit'] ?? ''}>
        Ask for a new link
      </Button>
    </AuthCard>
  )
}
