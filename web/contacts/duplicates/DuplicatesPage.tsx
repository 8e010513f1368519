import { ActionIcon, Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowDown, IconArrowUp, IconRefresh } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Pair } from '#contract/duplicates.ts'
import { useActions } from '#web/lib/actions.ts'
import { describeError } from '#web/lib/toasts.ts'
import { BackToList } from '#web/records/kind/BackToList.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { contactKind } from '../contactKind.tsx'
import classes from './DuplicatesPage.module.css'
import { MergeView } from './MergeView.tsx'
import { PairList } from './PairList.tsx'
import { mergesQuery, pairsQuery } from './queries.ts'
import { RecentMerges } from './RecentMerges.tsx'

const route = getRouteApi('/signed-in/crm/contacts/duplicates')
const path = '/crm/contacts/duplicates'

/** Two contacts that are compared. `why` is missing for contacts that the user has selected. */
type OpenPair = { contact: string; other: string; why?: string | undefined }

/** The likely pairs, and beside them the merge of the open pair. On phones the merge replaces the list. */
export function DuplicatesPage() {
  const parameters = route.useSearch()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const isPhone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const pairs = useQuery(pairsQuery)
  const merges = useQuery(mergesQuery)
  const [hasOpenedPair, setHasOpenedPair] = useState(false)
  const list = pairs.data?.rows ?? []
  const index = parameters.contact ? list.findIndex((pair) => isPairOf(pair, parameters)) : isPhone ? -1 : 0
  const openPair = parameters.contact && parameters.other ? withReason(parameters, list[index]) : toOpenPair(list[index])
  const showPair = (pair: Pair | undefined): void => {
    setHasOpenedPair(true)
    void navigate({ to: path, search: toOpenPair(pair, { isLink: true }) ?? {}, replace: true })
  }
  const showNext = (): void => {
    // a merge has removed all pairs with the deleted contact, not only the open one
    const remaining = queries.getQueryData(pairsQuery.queryKey)?.rows ?? []
    const isRemaining = (pair: Pair): boolean =>
      remaining.some((each) => isPairOf(each, { contact: pair.contact.id, other: pair.other.id }))
    showPair(index < 0 ? undefined : (list.slice(index + 1).find(isRemaining) ?? list.slice(0, index).findLast(isRemaining)))
  }
  const position = index < 0 ? '' : `${index + 1} of ${list.length}`
  useActions(
    openPair
      ? [
          { keys: 'k', label: 'Previous pair', icon: IconArrowUp, run: () => list[index - 1] && showPair(list[index - 1]) },
          { keys: 'j', label: 'Next pair', icon: IconArrowDown, run: () => list[index + 1] && showPair(list[index + 1]) },
        ]
      : [],
  )
  const isEmpty = pairs.isSuccess && list.length === 0 && !openPair
  const isListHidden = isPhone && openPair !== undefined
  return (
    <div className={classes['page']}>
      {isListHidden ? (
        <PageBar
          title="Merge"
          count={position}
          breadcrumb={[
            <Link key="pairs" to={path} search={{}}>
              Duplicates
            </Link>,
          ]}
          actions={
            <>
              <ActionIcon aria-label="Previous pair" disabled={index <= 0} onClick={() => showPair(list[index - 1])}>
                <IconArrowUp size={18} stroke={1.7} />
              </ActionIcon>
              <ActionIcon aria-label="Next pair" disabled={index < 0 || index + 1 >= list.length} onClick={() => showPair(list[index + 1])}>
                <IconArrowDown size={18} stroke={1.7} />
              </ActionIcon>
            </>
          }
        />
      ) : (
        <PageBar
          title="Duplicates"
          count={pairs.isPending ? null : pairs.data ? `${list.length}${pairs.data.more ? '+' : ''}` : ''}
          breadcrumb={[<BackToList key="list" kind={contactKind} />]}
          actions={
            <Button
              className={classes['lookAgain'] ?? ''}
              variant="subtle"
              color="gray"
              leftSection={<IconRefresh size={16} stroke={1.75} />}
              loading={pairs.isFetching && !pairs.isPending}
              onClick={() => void pairs.refetch()}
            >
              Look again
            </Button>
          }
        />
      )}
      <div className={classes['columns']} data-single={isEmpty || isListHidden || undefined}>
        {!isListHidden && (
          <div className={classes['list']}>
            {pairs.isPending && <ListSkeleton rows={8} height={70} columns={[]} />}
            {pairs.isError && !pairs.data && (
              <FailedState
                title="Duplicates could not be loaded"
                reason={describeError(pairs.error)}
                onRetry={() => void pairs.refetch()}
                isRetrying={pairs.isFetching}
              />
            )}
            {isEmpty && (
              <EmptyState title="No duplicates">
                Contacts that are likely the same person appear here, so that you can merge them. After an import, look again.
              </EmptyState>
            )}
            {list.length > 0 && <PairList pairs={list} openPair={list[index]} />}
            {pairs.data?.more && <p className={classes['more']}>These are the first {list.length} pairs. Look again when they are done.</p>}
            <RecentMerges merges={merges.data?.rows ?? []} />
          </div>
        )}
        {openPair && (
          <MergeView
            key={`${openPair.contact} ${openPair.other}`}
            contactId={openPair.contact}
            otherId={openPair.other}
            why={openPair.why}
            takesFocus={hasOpenedPair || isPhone}
            onDone={showNext}
          />
        )}
      </div>
    </div>
  )
}

const isPairOf = (pair: Pair, { contact, other }: { contact?: string | undefined; other?: string | undefined }): boolean =>
  [pair.contact, pair.other].every(({ id }) => id === contact || id === other)

/**
 * Returns the ids of the two contacts, and the reason of the pair. With `isLink`, leaves out the reason, because addresses do not contain
 * it.
 */
function toOpenPair(pair: Pair | undefined, { isLink = false } = {}): OpenPair | undefined {
  if (!pair) return undefined
  return { contact: pair.contact.id, other: pair.other.id, ...(!isLink && { why: pair.why }) }
}

const withReason = ({ contact = '', other = '' }: { contact?: string; other?: string }, pair: Pair | undefined): OpenPair => ({
  contact,
  other,
  why: pair?.why,
})
