import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { featureRegistry, type FirstStep } from '#web/lib/features.ts'
import { useSession } from '#web/lib/session.ts'
import { DoorIllustration } from '#web/ui/DoorIllustration.tsx'
import classes from './FirstSteps.module.css'

/** The suggestions of all features for an empty workspace. */
export function FirstSteps({ greeting }: { greeting: string }) {
  const session = useSession()
  const steps = featureRegistry.get().firstSteps.filter(({ isDone }) => !isDone?.(session))
  return (
    <div className={classes['steps']}>
      <div className={classes['head']}>
        <div className={classes['text']}>
          <h2 className={classes['greeting']}>{greeting}</h2>
          <p>Your workspace is ready and empty. Each of these makes it useful; do them in any order.</p>
        </div>
        <DoorIllustration />
      </div>
      <ul>
        {steps.map((step, index) => (
          <Step key={step.address} step={step} isFirst={index === 0} />
        ))}
      </ul>
      <p className={classes['later']}>What matters today takes this place as soon as there is something.</p>
    </div>
  )
}

function Step({ step: { icon: Icon, title, text, buttonLabel, address }, isFirst }: { step: FirstStep; isFirst: boolean }) {
  return (
    <li className={classes['step']}>
      <span className={classes['icon']} aria-hidden="true">
        <Icon size={18} stroke={1.7} />
      </span>
      <div className={classes['what']}>
        <h3 className={classes['title']}>{title}</h3>
        <p className={classes['note']}>{text}</p>
      </div>
      <Button component={Link} to={address} variant={isFirst ? 'filled' : 'default'}>
        {buttonLabel}
      </Button>
    </li>
  )
}
