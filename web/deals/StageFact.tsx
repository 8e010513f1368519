import { Menu, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconCircleDot } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Deal } from '#contract/deals.ts'
import { stages } from '#contract/stages.ts'
import { formatRelativeDay, getDayOf } from '#web/lib/format.ts'
import { useStore } from '#web/lib/store.ts'
import { timelinePages } from '#web/records/panel/Timeline.tsx'
import { Remark, Fact } from '#web/records/panel/RecordFacts.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { useNow } from '#web/ui/useNow.ts'
import { dealKind } from './kind/dealKind.tsx'
import classes from './deals.module.css'
import { moveDeal, unsavedMoves } from './kind/moves.ts'
import { getStageColour, isStage, stageLabels } from './kind/stages.ts'

/** The stage of a deal, with a menu that changes it, and the day on which the deal came to this stage. */
export function StageFact({ deal }: { deal: Deal }) {
  const startDay = useStageStartDay(deal)
  const stage = useStore(unsavedMoves).get(deal.id)?.stage ?? deal.stage
  return (
    <Fact icon={IconCircleDot} label={dealKind.fields.stage.label}>
      <Menu position="bottom-start" width={180}>
        <Menu.Target>
          <UnstyledButton
            className={classes['stage']}
            data-printed // other buttons are hidden on paper
            aria-label={`Stage: ${stageLabels[stage]}. Change`}
            title="Change stage"
          >
            <Badge label={stageLabels[stage]} colour={getStageColour(stage)} />
            <IconChevronDown size={14} stroke={1.75} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.RadioGroup value={stage} onChange={(newStage) => isStage(newStage) && moveDeal(deal, newStage)}>
            {stages.map((each) => (
              <Menu.RadioItem key={each} value={each} closeMenuOnClick>
                {stageLabels[each]}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Dropdown>
      </Menu>
      {startDay && <Remark>since {startDay}</Remark>}
    </Fact>
  )
}

/** Returns the day on which the deal came to its stage: "today", "4 Dec"; undefined if the loaded part of the timeline does not have it. */
function useStageStartDay({ id, created_at }: Deal): string | undefined {
  const { data, hasNextPage } = useInfiniteQuery(timelinePages(id))
  const now = useNow()
  if (!data) return undefined
  const entries = data.pages.flatMap(({ rows }) => rows)
  const lastMove = entries.find(({ columns, operation }) => operation === 'updated' && columns.some(({ name }) => name === 'stage'))
  if (!lastMove && hasNextPage) return undefined
  // a deal that was never moved has been in its stage since it was created
  const date = getDayOf(Date.parse(lastMove?.at ?? created_at))
  const day = formatRelativeDay(date, now)
  const isWord = /day$|tomorrow$/i.test(day) // "Today", "Yesterday" or "Tomorrow", but not "4 Dec"
  return isWord ? day.toLowerCase() : day
}
