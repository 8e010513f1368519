import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { unlinkedContactsFilter } from '#contract/companyNames.ts'
import type { Company } from '#contract/companies.ts'
import { formatCappedCount } from '#web/lib/format.ts'
import { ShortRecordList, RowEnd } from '#web/records/panel/ShortRecordList.tsx'
import { PanelSection } from '#web/records/panel/SidePanel.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import classes from './ContactsToLink.module.css'
import { contactsToLinkQuery, linkAllContacts, linkContact } from './linkContacts.ts'

/**
 * The contacts that have the name of the company as text without a link to it, with buttons that link one or all of them. Shown only if
 * there are such contacts.
 */
export function ContactsToLink({ company }: { company: Company }) {
  const result = useQuery(contactsToLinkQuery(company.name))
  const linkingAll = useMutation({ mutationFn: (total: { count: number; more: boolean }) => linkAllContacts(company, total) })
  const linkingOne = useMutation({ mutationFn: (contactId: string) => linkContact(company, contactId) })
  const { data } = result
  if (!data || data.rows.length === 0) return null
  const isBusy = linkingAll.isPending || linkingOne.isPending
  return (
    <PanelSection
      title="Contacts to link"
      action={
        data.total.count > 1 && (
          <Button
            className={classes['button'] ?? ''}
            variant="default"
            size="compact-sm"
            loading={linkingAll.isPending}
            disabled={isBusy}
            onClick={() => linkingAll.mutate(data.total)}
          >
            Link all {formatCappedCount(data.total)}
          </Button>
        )
      }
    >
      <ShortRecordList
        plural="contacts"
        result={result}
        linkToAll={
          <Link className="link" to="/crm/contacts" search={{ filter: unlinkedContactsFilter(company.name) }}>
            All contacts with this name as company
          </Link>
        }
      >
        {({ id, first_name, last_name }) => {
          const name = `${first_name} ${last_name}`.trim()
          return (
            <>
              <Avatar id={id} name={name} size={20} />
              <Link className="link" to="/crm/contacts/$id" params={{ id }} title={name}>
                {name}
              </Link>
              <RowEnd>
                <Button
                  className={classes['button'] ?? ''}
                  variant="default"
                  size="compact-xs"
                  aria-label={`Link ${name}`}
                  disabled={isBusy}
                  onClick={() => linkingOne.mutate(id)}
                >
                  Link
                </Button>
              </RowEnd>
            </>
          )
        }}
      </ShortRecordList>
    </PanelSection>
  )
}
