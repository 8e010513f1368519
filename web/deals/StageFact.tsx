import { Menu, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconCircleDot } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Deal } from '#contract/deals.ts'
import { stages } from '#contract/stages.ts'
import { formatRelativeDay, getToday } from '#web/lib/format.ts'
import { useStore } from '#web/lib/store.ts'
import { timelinePages } from '#web/records/panel/Timeline.tsx'
import { Remark, Fact } from '#web/records/panel/RecordFacts.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { dealKind } from './kind/dealKind.tsx'
import classes from './deals.module.css'
import { moveDeal, unsavedMoves } from './kind/moves.ts'
import { getStageColour, stageLabels } from './kind/stages.ts'

/** The stage of a deal, the day it began, and a menu to change it. */
export function StageFact({ deal }: { deal: Deal }) {
  const since = useStageStart(deal)
  const stage = useStore(unsavedMoves).get(deal.id)?.stage ?? deal.stage
  return (
    <Fact icon={IconCircleDot} label={dealKind.fields.stage.label}>
      <Menu position="bottom-start" width={180}>
        <Menu.Target>
          <UnstyledButton className={classes['stage']} aria-label={`Stage: ${stageLabels[stage]}. Change`} title="Change stage">
            <Badge label={stageLabels[stage]} colour={getStageColour(stage)} />
            <IconChevronDown size={14} stroke={1.75} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.RadioGroup value={stage} onChange={(to) => stages.filter((each) => each === to).forEach((each) => moveDeal(deal, each))}>
            {stages.map((each) => (
              <Menu.RadioItem key={each} value={each} closeMenuOnClick>
                {stageLabels[each]}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Dropdown>
      </Menu>
      {since && <Remark>since {since}</Remark>}
    </Fact>
  )
}

/** The day since which the deal has its stage; undefined when the loaded part of its history does not contain it. */
function useStageStart({ id, created_at }: Deal): string | undefined {
  const { data, hasNextPage } = useInfiniteQuery(timelinePages(id))
  if (!data) return undefined
  const entries = data.pages.flatMap(({ rows }) => rows)
  const moved = entries.find(({ columns, operation }) => operation === 'updated' && columns.some(({ name }) => name === 'stage'))
  if (!moved && hasNextPage) return undefined
  const words = formatRelativeDay(getToday(Date.parse(moved?.at ?? created_at)))
  return /day$|tomorrow$/i.test(words) ? words.toLowerCase() : words
}
