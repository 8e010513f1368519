/** The stages of a deal, in the order of the board. */
export const stages = ['lead', 'qualified', 'proposal', 'negotiation', 'closed-won', 'closed-lost'] as const
export type Stage = (typeof stages)[number]

/** The stages of deals that are neither won nor lost. */
export const openStages: readonly Stage[] = stages.filter((stage) => !stage.startsWith('closed'))

/** The default probability of the deals of each stage, in percent. */
export const stageProbabilities: Record<Stage, number> = {
  lead: 10,
  qualified: 25,
  proposal: 50,
  negotiation: 75,
  'closed-won': 100,
  'closed-lost': 0,
}
