import { ActionIcon, Button, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconChecklist, IconCircle, IconCircleCheck, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState, type RefObject } from 'react'
import * as z from 'zod/mini'
import type { FirstStepName } from '#contract/dashboard.ts'
import { useActions } from '#web/lib/actions.ts'
import { browserMemory } from '#web/lib/browserMemory.ts'
import { featureRegistry, type FirstStep } from '#web/lib/features.ts'
import { hideFirstSteps, showFirstSteps } from '#web/lib/firstSteps.ts'
import { useSession } from '#web/lib/session.ts'
import classes from './FirstSteps.module.css'

type DoneSteps = { doneSteps: readonly FirstStepName[] | undefined }

/** The checklist of the first steps, until all are done or the user hides it. `doneSteps` is undefined while it is being loaded. */
export function FirstSteps({ doneSteps }: DoneSteps) {
  const { first_steps_hidden: isHidden } = useSession().profile
  const steps = featureRegistry.get().firstSteps
  const nextStep = doneSteps && steps.find(({ name }) => !doneSteps.includes(name))
  const { checklist, heightPx } = useRememberedHeight(doneSteps, isHidden)
  useActions(
    nextStep
      ? [
          isHidden
            ? { label: 'Show first steps', icon: IconChecklist, run: () => void showFirstSteps() }
            : { label: 'Hide first steps', icon: IconChecklist, run: () => void hideFirstSteps() },
        ]
      : [],
  )
  // while the steps are being loaded, a height of 0 means that the last visit did not show the checklist
  const hasNothingToShow = doneSteps ? !nextStep : heightPx === 0
  if (isHidden || hasNothingToShow) return null
  return (
    <section
      ref={checklist}
      className={classes['checklist']}
      style={doneSteps ? undefined : { height: heightPx }}
      aria-label="First steps"
      aria-busy={!doneSteps}
    >
      {doneSteps && <Checklist steps={steps} doneSteps={doneSteps} nextStep={nextStep} />}
      {!doneSteps && <LoadingChecklist />}
    </section>
  )
}

type ChecklistProps = { steps: readonly FirstStep[]; doneSteps: readonly FirstStepName[]; nextStep: FirstStep | undefined }

function Checklist({ steps, doneSteps, nextStep }: ChecklistProps) {
  const doneCount = steps.filter(({ name }) => doneSteps.includes(name)).length
  const hide = (): void => {
    document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true }) // because the focused button disappears
    void hideFirstSteps()
  }
  return (
    <>
      <header className={classes['head']}>
        <h2>First steps</h2>
        <span className={classes['count']}>
          {doneCount} of {steps.length}
        </span>
        <Tooltip label="Hide first steps">
          <ActionIcon size={26} aria-label="Hide first steps" onClick={hide}>
            <IconX size={16} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      </header>
      <div className={classes['bar']} aria-hidden="true">
        <span style={{ width: `${(doneCount / steps.length) * 100}%` }} />
      </div>
      <ul>
        {steps.map((step) => (
          <Step key={step.name} step={step} isDone={doneSteps.includes(step.name)} isNext={step === nextStep} />
        ))}
      </ul>
    </>
  )
}

const LoadingChecklist = () => (
  <>
    <header className={classes['head']}>
      <h2>First steps</h2>
    </header>
    <div className={classes['bar']} aria-hidden="true" />
  </>
)

type StepProps = { step: FirstStep; isDone: boolean; isNext: boolean }

function Step({ step: { title, text, buttonLabel, address }, isDone, isNext }: StepProps) {
  const Icon = isDone ? IconCircleCheck : IconCircle
  return (
    <li className={classes['step']} data-done={isDone || undefined} data-next={isNext || undefined}>
      <Icon size={18} stroke={1.6} aria-hidden="true" />
      <VisuallyHidden>{isDone ? 'Done:' : 'To do:'}</VisuallyHidden>
      {isNext ? (
        <>
          <div className={classes['what']}>
            <h3 className={classes['title']}>{title}</h3>
            <p className={classes['note']}>{text}</p>
          </div>
          <Button component={Link} to={address} variant="default">
            {buttonLabel}
          </Button>
        </>
      ) : (
        <Link to={address}>{title}</Link>
      )}
    </li>
  )
}

const storageName = 'height of the first steps'

/** Returns the height that the checklist had at the last visit, so that nothing moves when the steps are loaded. Stores the new height. */
function useRememberedHeight(
  doneSteps: DoneSteps['doneSteps'],
  isHidden: boolean,
): { checklist: RefObject<HTMLElement | null>; heightPx: number } {
  const checklist = useRef<HTMLElement>(null)
  const [heightPx] = useState(() => browserMemory.read(storageName, z.int()) ?? 0)
  useEffect(() => {
    if (doneSteps) browserMemory.store(storageName, isHidden ? 0 : (checklist.current?.offsetHeight ?? 0))
  }, [doneSteps, isHidden])
  return { checklist, heightPx }
}
