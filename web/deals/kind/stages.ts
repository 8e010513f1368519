import type { Deal } from '#contract/deals.ts'
import { stageProbabilities, stages, type Stage } from '#contract/stages.ts'

/** What people call the stages. */
export const stageLabels: Record<Stage, string> = {
  lead: 'Lead',
  qualified: 'Qualified',
  proposal: 'Proposal',
  negotiation: 'Negotiation',
  'closed-won': 'Closed Won',
  'closed-lost': 'Closed Lost',
}

const colours: Record<Stage, string> = {
  lead: 'lead',
  qualified: 'qualified',
  proposal: 'proposal',
  negotiation: 'negotiation',
  'closed-won': 'won',
  'closed-lost': 'lost',
}

/** The colour of a stage, as CSS. */
export const stageColour = (stage: Stage): string => `var(--f-stage-${colours[stage]})`

/** The stages as choices, in the order of the board. */
export const stageChoices = stages.map((stage) => ({ value: stage, label: stageLabels[stage] }))

export const isStage = (text: unknown): text is Stage => stages.some((stage) => stage === text)

/** A closed deal is no longer a forecast. */
export const isClosed = (stage: Stage): boolean => stage === 'closed-won' || stage === 'closed-lost'

/** How likely a deal is, in percent: as somebody said, else as usual for its stage. */
export const probabilityOf = ({ probability, stage }: Pick<Deal, 'probability' | 'stage'>): number =>
  probability ?? stageProbabilities[stage]
