import { useState } from 'react'
import { FieldConflict, type Side } from '#web/ui/FieldConflict.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { isProfileField, type ProfileConflict, type ProfileField } from './profile.ts'
import classes from './AccountPage.module.css'

const labels: Record<ProfileField, string> = { full_name: 'Full name', timezone: 'Time zone', country: 'Country', currency: 'Currency' }

type ProfileConflictsProps = { conflict: ProfileConflict; onChoose: (field: ProfileField, value: string) => void }

/** The same field was changed in another place: both values, to choose from before saving again. */
export function ProfileConflicts({ conflict, onChoose }: ProfileConflictsProps) {
  const [chosen, setChosen] = useState<Partial<Record<ProfileField, Side>>>({})
  const choose = (field: ProfileField, side: Side, value: unknown): void => {
    setChosen({ ...chosen, [field]: side })
    onChoose(field, String(value))
  }
  return (
    <>
      <div className={classes['warning']} role="alert">
        <strong>This was changed somewhere else while you were editing</strong>
        Everything else you typed is safe. Choose what to keep, then save again.
      </div>
      {conflict.fields.map(({ field, yours, theirs }) => {
        if (!isProfileField(field)) return null
        return (
          <FieldConflict
            key={field}
            label={labels[field]}
            yours={{ value: String(yours), origin: 'Yours, typed just now' }}
            theirs={{
              value: String(theirs),
              origin: (
                <>
                  Saved <RelativeTime at={conflict.at} />
                </>
              ),
            }}
            chosen={chosen[field] ?? 'yours'}
            onChoose={(side) => choose(field, side, side === 'yours' ? yours : theirs)}
          />
        )
      })}
    </>
  )
}
