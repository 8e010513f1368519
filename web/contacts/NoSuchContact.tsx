import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { BackToContacts } from './BackToContacts.tsx'

/** For an address that leads to nobody, or to somebody else's contact: the two are not told apart. */
export function NoSuchContact() {
  return (
    <>
      <PageBar title="Not found" breadcrumb={[<BackToContacts key="back" />]} />
      <EmptyState
        quiet
        title="This contact is not here"
        actions={
          <Button variant="default" component={Link} to="/crm/contacts">
            Back to Contacts
          </Button>
        }
      >
        It may have been deleted. What was deleted in the last 30 days is in the trash.
      </EmptyState>
    </>
  )
}
