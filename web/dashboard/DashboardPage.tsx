import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { featureRegistry } from '#web/lib/features.ts'
import { formatWeekdayAndDay, getToday } from '#web/lib/format.ts'
import { useSession } from '#web/lib/session.ts'
import { PageBar } from '#web/ui/PageBar.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { useNow } from '#web/ui/useNow.ts'
import { ActivityTile } from './ActivityTile.tsx'
import { BookingsTile } from './BookingsTile.tsx'
import classes from './DashboardPage.module.css'
import { FirstSteps } from './FirstSteps.tsx'
import { NewContactsTile } from './NewContactsTile.tsx'
import { PipelineTile } from './PipelineTile.tsx'
import { overviewQuery } from './queries.ts'
import { StorageTile } from './StorageTile.tsx'
import { TasksTile } from './TasksTile.tsx'
import { Welcome } from './Welcome.tsx'

/**
 * The dashboard page. Shows tiles, and beside them the first steps, a checklist for new users. In an empty workspace it shows only a
 * welcome with the first steps.
 */
export function DashboardPage() {
  const { full_name, first_steps_hidden: areStepsHidden } = useSession().profile
  const query = useQuery(overviewQuery)
  const doneSteps = query.data?.first_steps_done
  const textBesideTitle = formatWeekdayAndDay(getToday(useNow()))
  const isWelcome = query.data?.empty === true && !areStepsHidden
  return (
    <>
      <PageBar title="Dashboard" count={textBesideTitle} actions={!isWelcome && <AddButton />} />
      <div className={classes['body']}>
        {isWelcome ? (
          <Welcome greeting={`Welcome, ${full_name.trim().split(/\s+/)[0]}`} doneSteps={doneSteps ?? []} />
        ) : (
          <div className={classes['columns']}>
            <div className={classes['tiles']}>
              <TasksTile query={query} />
              <BookingsTile query={query} />
              <PipelineTile query={query} />
              <NewContactsTile query={query} />
              <StorageTile />
            </div>
            <div className={classes['beside']}>
              {!query.isLoadingError && <FirstSteps doneSteps={doneSteps} />}
              <ActivityTile />
            </div>
          </div>
        )}
      </div>
    </>
  )
}

/** The button at the top of the page, which adds a contact. Its label and address come from the first entry of the first steps. */
function AddButton() {
  const [first] = featureRegistry.get().firstSteps
  if (!first) return null
  return (
    <Tooltip label={first.buttonLabel}>
      <Button variant="filled" component={Link} to={first.address} leftSection={<IconPlus size={16} stroke={1.75} />}>
        {first.buttonLabel}
      </Button>
    </Tooltip>
  )
}
