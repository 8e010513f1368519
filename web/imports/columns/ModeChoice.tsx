import type { ImportKind, ImportMode } from '#contract/imports.ts'
import { importNouns } from '../kinds.ts'
import classes from './ModeChoice.module.css'
import { PhoneFold } from './PhoneFold.tsx'

type ModeChoiceProps = { kind: ImportKind; mode: ImportMode; onChange: (mode: ImportMode) => void }

/** Selects what the import does with rows, by whether their record exists already. */
export function ModeChoice({ kind, mode, onChange }: ModeChoiceProps) {
  const { plural } = importNouns[kind]
  const choices: { value: ImportMode; label: string; text: string }[] = [
    { value: 'both', label: 'Create and update', text: 'An empty cell never clears a field.' },
    { value: 'create', label: 'Create only', text: `The ${plural} that you have stay as they are.` },
    { value: 'update', label: 'Update only', text: 'Rows that are new are left out.' },
  ]
  const chosen = choices.find(({ value }) => value === mode)
  return (
    <PhoneFold title={chosen?.label ?? ''} {...(chosen && { current: chosen.text })}>
      <fieldset className={classes['choice']}>
        <legend>What to do with the rows</legend>
        {choices.map(({ value, label, text }) => (
          // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the radio button is in the label
          <label key={value}>
            <input
              type="radio"
              name="mode"
              value={value}
              checked={mode === value}
              aria-describedby={`mode-${value}`}
              onChange={() => onChange(value)}
            />
            <span>
              <strong>{label}</strong>
              <span id={`mode-${value}`}>{text}</span>
            </span>
          </label>
        ))}
        {kind === 'contact' && (
          <p>
            A row is a contact that you have if the email is the same. Without an email the phone number decides, if the names do not
            differ.
          </p>
        )}
      </fieldset>
    </PhoneFold>
  )
}
