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

/** The ends of the names of the CSS variables that have the colours of the stages. */
const colourNames: Record<Stage, string> = {
  lead: 'lead',
  qualified: 'qualified',
  proposal: 'proposal',
  negotiation: 'negotiation',
  'closed-won': 'won',
  'closed-lost': 'lost',
}

/** Returns the colour of a stage as a CSS value. */
export const getStageColour = (stage: Stage): string => `var(--f-stage-${colourNames[stage]})`

export const stageChoices = stages.map((stage) => ({ value: stage, label: stageLabels[stage] }))

export const isStage = (text: unknown): text is Stage => stages.some((stage) => stage === text)

export const isClosed = (stage: Stage): boolean => stage === 'closed-won' || stage === 'closed-lost'

/** Returns the probability of a deal in percent. A deal without its own probability has the usual probability of its stage. */
export const getProbability = ({ probability, stage }: Pick<Deal, 'probability' | 'stage'>): number =>
  probability ?? stageProbabilities[stage]
