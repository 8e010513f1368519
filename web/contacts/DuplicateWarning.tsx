import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import type { Problem } from '#contract/errors.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Warning } from '#web/ui/Warning.tsx'
import classes from './DuplicateWarning.module.css'

type DuplicateWarningProps = { matches: NonNullable<Problem['matches']>; saving: boolean; onAddAnyway: () => void }

/** Shows who seems to be the same person, and lets the one who knows better go on. */
export function DuplicateWarning({ matches, saving, onAddAnyway }: DuplicateWarningProps) {
  return (
    <Warning title="This contact seems to be here already">
      <p>Have a look before you add it a second time. What you typed stays here.</p>
      <ul className={classes['matches']}>
        {matches.map(({ id, name, email, phone }) => (
          <li key={id}>
            <Avatar id={id} name={name} />
            {/* a tab of its own, so that what was typed stays where it is */}
            <a className="link" href={`/crm/contacts/${id}`} target="_blank" rel="noreferrer">
              {name}
              <IconExternalLink size={14} stroke={1.75} aria-hidden />
            </a>
            <span className={classes['reach']}>{[email, phone].filter(Boolean).join(' · ')}</span>
          </li>
        ))}
      </ul>
      <Button variant="default" onClick={onAddAnyway} loading={saving}>
        Add anyway
      </Button>
    </Warning>
  )
}
