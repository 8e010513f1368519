import type { ReactNode } from 'react'
import { Button } from '@mantine/core'
import { IconClock, IconUserPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Door } from '#web/ui/Door.tsx'
import classes from './FirstSteps.module.css'

/** What to do in a workspace that is still empty. Each feature brings its own step. */
export function FirstSteps({ greeting }: { greeting: string }) {
  return (
    <div className={classes['steps']}>
      <div className={classes['head']}>
        <div className={classes['words']}>
          <h2 className={classes['greeting']}>{greeting}</h2>
          <p>Your workspace is ready and empty. Each of these makes it useful; do them in any order.</p>
        </div>
        <Door />
      </div>
      <ul>
        <Step
          icon={<IconUserPlus size={18} stroke={1.7} />}
          title="Add your first contact"
          words="Somebody you do business with."
          action={
            <Button component={Link} to="/crm/contacts/new">
              Add contact
            </Button>
          }
        />
        <Step
          icon={<IconClock size={18} stroke={1.7} />}
          title="Set your time zone and currency"
          words="So that times and sums are right from the start."
          action={
            <Button component={Link} to="/account" variant="default">
              Open account
            </Button>
          }
        />
      </ul>
      <p className={classes['later']}>Your newest contacts take this place as soon as there are some.</p>
    </div>
  )
}

type StepProps = { icon: ReactNode; title: string; words: string; action: ReactNode }

function Step({ icon, title, words, action }: StepProps) {
  return (
    <li className={classes['step']}>
      <span className={classes['icon']} aria-hidden="true">
        {icon}
      </span>
      <div className={classes['what']}>
        <h3 className={classes['title']}>{title}</h3>
        <p className={classes['note']}>{words}</p>
      </div>
      {action}
    </li>
  )
}
