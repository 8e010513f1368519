import { useCloseConfirmation } from '#web/lib/closeConfirmation.ts'
import { useUnsavedWork } from '#web/lib/forms.ts'
import { SecretCard } from '#web/ui/SecretCard.tsx'
import { useForgetCreatedKey, type CreatedKey } from './queries.ts'

/** Shows a key that was just created, once, until the user confirms that it is saved. */
export function CreatedKeyCard({ created }: { created: CreatedKey }) {
  const forget = useForgetCreatedKey()
  useUnsavedWork(true)
  useCloseConfirmation(true)
  const confirm = (): void => {
    forget(created.id)
    document.querySelector<HTMLElement>('[data-key-name]')?.focus()
  }
  return (
    <SecretCard
      title={
        <>
          Your new API key: <span dir="auto">{created.name}</span>
        </>
      }
      warning="Copy this key now. You will not be able to see it again."
      secret={created.key}
      copyLabel="Copy API key"
      confirmLabel="I've saved this key"
      onConfirm={confirm}
    />
  )
}
