import type { Step } from '#contract/assistant.ts'

/** A part of an answer: what the assistant did, and the text that it wrote after that. */
export type Segment = { at: number; steps: readonly Step[]; text: string }

/** Splits the text of an answer where the assistant took steps. */
export function splitAtSteps(content: string, steps: readonly Step[]): Segment[] {
  const groups = Map.groupBy(steps, ({ at }) => Math.min(at, content.length))
  const starts = [...new Set([0, ...groups.keys()])].toSorted((one, other) => one - other)
  return starts
    .map((at, index) => ({ at, steps: groups.get(at) ?? [], text: content.slice(at, starts[index + 1]) }))
    .filter(({ steps: segmentSteps, text }) => segmentSteps.length > 0 || text.trim() !== '')
}
