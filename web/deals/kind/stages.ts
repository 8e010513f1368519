import type { Deal } from '#contract/deals.ts'
import { stageProbabilities, stages, type Stage } from '#contract/stages.ts'

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

/** A CSS colour. */
export const getStageColour = (stage: Stage): string => `var(--f-stage-${colours[stage]})`

export const stageChoices = stages.map((stage) => ({ value: stage, label: stageLabels[stage] }))

export const isStage = (text: unknown): text is Stage => stages.some((stage) => stage === text)

export const isClosed = (stage: Stage): boolean => stage === 'closed-won' || stage === 'closed-lost'

/** In percent. A deal without a probability has that of its stage. */
export const getProbability = ({ probability, stage }: Pick<Deal, 'probability' | 'stage'>): number =>
  probability ?? stageProbabilities[stage]
