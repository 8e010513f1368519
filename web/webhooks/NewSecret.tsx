import { useUnsavedWork } from '#web/lib/forms.ts'
import { SecretCard } from '#web/ui/SecretCard.tsx'

/** Shows the secret of an endpoint, once. */
export function NewSecret({ secret, onSaved }: { secret: string; onSaved: () => void }) {
  useUnsavedWork(true)
  return (
    <SecretCard
      title="The secret of the endpoint"
      warning="Copy this secret now. You will not be able to see it again. Your program verifies the signatures with it (Standard Webhooks)."
      secret={secret}
      copyLabel="Copy secret"
      confirmLabel="I've saved this secret"
      onConfirm={onSaved}
    />
  )
}
