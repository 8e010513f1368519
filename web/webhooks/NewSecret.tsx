import { useCloseConfirmation } from '#web/lib/closeConfirmation.ts'
import { useUnsavedWork } from '#web/lib/forms.ts'
import { SecretCard } from '#web/ui/SecretCard.tsx'

type NewSecretProps = {
  secret: string
  /** The address of the endpoint, on a page with several endpoints. */
  address?: string
  onSaved: () => void
}

/** Shows the secret of an endpoint, once. */
export function NewSecret({ secret, address = 'the endpoint', onSaved }: NewSecretProps) {
  useUnsavedWork(true)
  useCloseConfirmation(true)
  return (
    <SecretCard
      title={`The secret of ${address}`}
      warning="Copy this secret now. You will not be able to see it again. Your program verifies the signatures with it (Standard Webhooks)."
      secret={secret}
      copyLabel="Copy secret"
      confirmLabel="I've saved this secret"
      onConfirm={onSaved}
    />
  )
}
