import type { Outcome } from './load.ts'
import { goals, type Operation } from './operations.ts'
import type { Timing } from './timings.ts'

type Speed = { perSecond: number; p50Ms: number; p99Ms: number }
export type Result = { operation: Operation; product: Speed; bare: Speed; ratio: number; goal: number }
export type Report = {
  contacts: number
  cores: number
  /** Processes that waited for a core, as the system counts them: before and after. */
  load: number[]
  /** Of the product's Node process: started and idle, after the last answer, and half a minute later. */
  memoryMb: { started: number; ended: number; idle: number }
  results: Result[]
  timings: Timing[]
}

/** The ratio is the middle one of all rounds: what disturbs a single round does not move it. */
export function summarise(operation: Operation, product: Outcome[], bare: Outcome[]): Result {
  const ratios = product.map((outcome, round) => perSecond([outcome]) / perSecond(bare.slice(round, round + 1)))
  return { operation, product: speedOf(product), bare: speedOf(bare), ratio: quantile(ratios, 0.5), goal: goals[operation] }
}

export function format({ contacts, cores, load, memoryMb, results, timings }: Report): string {
  const line = (...cells: (string | number)[]): string =>
    cells.map((cell, index) => String(cell)[index ? 'padStart' : 'padEnd'](9)).join(' ')
  const speed = ({ perSecond: rate, p50Ms, p99Ms }: Speed): string[] => [rate.toFixed(0), p50Ms.toFixed(1), p99Ms.toFixed(1)]
  return [
    `${contacts.toLocaleString('en')} contacts of 50 owners with their work, 16 connections, ${cores} cores, load ${load.map((value) => value.toFixed(1)).join(' to ')}`,
    '',
    line('', 'product', 'p50 ms', 'p99 ms', 'bare', 'p50 ms', 'p99 ms', 'ratio', 'goal'),
    ...results.map(({ operation, product, bare, ratio, goal }) =>
      line(operation, ...speed(product), ...speed(bare), ratio.toFixed(2), goal.toFixed(2)),
    ),
    ...timings.map(({ name, p50Ms, p95Ms, goalMs }) =>
      line(name, '', p50Ms.toFixed(0), '', '', '', '', `${p95Ms.toFixed(0)} ms`, `${goalMs} ms`),
    ),
    '',
    'Ratio: requests per second beside the bare server. In ms: the 95th of a hundred waits of one caller alone.',
    `Memory of the product's process: ${memoryMb.started} MB idle after the start, ${memoryMb.ended} MB right after all this, ${memoryMb.idle} MB idle again (goal: under 150 MB idle)`,
  ].join('\n')
}

function speedOf(outcomes: Outcome[]): Speed {
  const latencies = outcomes.flatMap(({ latenciesMs }) => latenciesMs)
  return { perSecond: perSecond(outcomes), p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99) }
}

function perSecond(outcomes: Outcome[]): number {
  const answers = outcomes.reduce((sum, { latenciesMs }) => sum + latenciesMs.length, 0)
  const elapsedMs = outcomes.reduce((sum, outcome) => sum + outcome.elapsedMs, 0)
  return (1000 * answers) / elapsedMs
}

function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
