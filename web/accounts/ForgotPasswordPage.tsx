import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { accountSettingsRoutes } from '#contract/accountSettings.ts'
import { call } from '#web/lib/client.ts'
import { getFieldErrors, showFailure, createSubmitHandler } from '#web/lib/forms.ts'
import { AuthCard } from './AuthCard.tsx'
import { instanceQuery } from './queries.ts'
import classes from './AuthCard.module.css'

const backLink = (
  <Link className="link" to="/auth">
    Back to sign in
  </Link>
)

/** Requests a mail with a link for a new password. If the server cannot send mail, the page shows the command that creates a link. */
export function ForgotPasswordPage() {
  const instance = useQuery(instanceQuery)
  const request = useMutation({
    mutationFn: (email: string) => call(accountSettingsRoutes.requestPasswordReset, { body: { email } }),
    onError: (error) => showFailure(form, error),
  })
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: (values) => getFieldErrors(accountSettingsRoutes.requestPasswordReset.body, values),
  })
  if (instance.data?.sends_mail === false) return <NoMailCard />
  if (request.isSuccess) return <LinkSentCard email={request.variables} />
  return (
    <AuthCard title="Forgot your password?" description="Enter your email, and we send you a link to choose a new one." below={backLink}>
      <form className={classes['form']} onSubmit={createSubmitHandler(form, ({ email }) => request.mutate(email))} noValidate>
        <TextInput label="Email" type="email" autoComplete="username" key={form.key('email')} {...form.getInputProps('email')} />
        <Button type="submit" className={classes['submit'] ?? ''} loading={request.isPending}>
          Send link
        </Button>
      </form>
    </AuthCard>
  )
}

function LinkSentCard({ email }: { email: string }) {
  return (
    <AuthCard
      title="Look into your mail"
      description={`If there is an account for ${email}, a link to choose a new password is on its way.`}
      below={backLink}
    >
      {null}
    </AuthCard>
  )
}

function NoMailCard() {
  return (
    <AuthCard
      title="Forgot your password?"
      description="This server sends no mail. Ask the person who runs it to make a link for you with this command:"
      below={backLink}
    >
      <code className={classes['code']}>npm run password-link EMAIL</code>
    </AuthCard>
  )
}
