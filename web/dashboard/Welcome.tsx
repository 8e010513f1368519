import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { FirstStepName } from '#contract/dashboard.ts'
import { featureRegistry, type FirstStep } from '#web/lib/features.ts'
import { hideFirstSteps } from '#web/lib/firstSteps.ts'
import { DoorIllustration } from '#web/ui/DoorIllustration.tsx'
import classes from './Welcome.module.css'

/** The greeting in an empty workspace, with the first steps that are not done. */
export function Welcome({ greeting, doneSteps }: { greeting: string; doneSteps: readonly FirstStepName[] }) {
  const steps = featureRegistry.get().firstSteps.filter(({ name }) => !doneSteps.includes(name))
  const hide = (): void => {
    document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true }) // because the focused button disappears
    void hideFirstSteps()
  }
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
          <Step key={step.name} step={step} isFirst={index === 0} />
        ))}
      </ul>
      <div className={classes['later']}>
        <p>What matters today takes this place as soon as there is something.</p>
        <Button variant="subtle" onClick={hide}>
          Hide first steps
        </Button>
      </div>
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
