import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { capitalise } from '#web/lib/format.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { BackToList } from './BackToList.tsx'

/** The page that is shown if there is no record with the id of the URL. */
export function MissingPage({ kind }: { kind: { singular: string; plural: string; path: string } }) {
  return (
    <>
      <PageBar title="Not found" breadcrumb={[<BackToList key="list" kind={kind} />]} />
      <EmptyState
        hideIllustration
        title={`This ${kind.singular} is not here`}
        actions={
          <Button variant="default" component={Link} to={kind.path}>
            Back to {capitalise(kind.plural)}
          </Button>
        }
      >
        It may have been deleted. What was deleted in the last 30 days is in the trash.
      </EmptyState>
    </>
  )
}
