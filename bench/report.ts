// Summarises and prints the part of the benchmark that compares requests to the product with requests to the bare server.
import { quantile } from './latency.ts'
import type { Outcome } from './load.ts'
import { cpuGoalsMs, goals, type Operation } from './operations.ts'
import type { CpuTimes } from './process-usage.ts'
import type { Timing } from './timings.ts'

/** Requests per second, and the median and the 99th percentile of the latencies. */
type Speed = { perSecond: number; p50Ms: number; p99Ms: number }
/** `cpu` is the CPU time of one request; undefined where it cannot be measured. */
export type Result = { operation: Operation; product: Speed; bare: Speed; ratio: number; goal: number; cpu?: CpuTimes; cpuGoalMs?: number }
/** The outcome of one round, and the CPU time that the product used for it. */
export type Round = Outcome & { cpu?: CpuTimes }
export type Report = {
  contacts: number
  cores: number
  /** Load averages of one minute. */
  loadAverages: { before: number; after: number }
  /** Resident memory of the product's Node process: idle after the start, after the last request, and idle 25 s later. */
  memoryMb: { afterStart: number; afterLastRequest: number; idle: number }
  results: Result[]
  timings: Timing[]
}

const idleMemoryGoalMb = 140

/** Summarises an operation. The ratio is the median of the ratios of all rounds, so that a disturbed round has no effect. */
export function summarise(operation: Operation, product: Round[], bare: Round[]): Result {
  const bareRates = bare.map((round) => requestsPerSecond([round]))
  const ratios = product.map((round, index) => requestsPerSecond([round]) / (bareRates[index] ?? NaN))
  return {
    operation,
    product: computeSpeed(product),
    bare: computeSpeed(bare),
    ratio: quantile(ratios, 0.5),
    goal: goals[operation],
    cpu: computeCpuPerRequest(product),
    cpuGoalMs: cpuGoalsMs[operation],
  }
}

export function format({ contacts, cores, loadAverages, memoryMb, results, timings }: Report): string {
  const line = (name: string, ...cells: (string | number)[]): string =>
    [name.padEnd(9), ...cells.map((cell) => String(cell).padStart(9))].join(' ')
  const speedCells = ({ perSecond, p50Ms, p99Ms }: Speed): string[] => [perSecond.toFixed(0), p50Ms.toFixed(1), p99Ms.toFixed(1)]
  return [
    `${contacts.toLocaleString('en')} contacts of 50 owners, with deals, tasks and notes, 16 connections, ${cores} cores, load ${loadAverages.before.toFixed(1)} to ${loadAverages.after.toFixed(1)}`,
    '',
    line('', 'product', 'p50 ms', 'p99 ms', 'bare', 'p50 ms', 'p99 ms', 'ratio', 'goal', 'node cpu', 'pg cpu', 'sum ms', 'goal'),
    ...results.map(({ operation, product, bare, ratio, goal, cpu, cpuGoalMs }) =>
      line(
        operation,
        ...speedCells(product),
        ...speedCells(bare),
        ratio.toFixed(2),
        goal.toFixed(2),
        ...cpuCells(cpu),
        cpuGoalMs?.toFixed(2) ?? '',
      ),
    ),
    '',
    line('', 'p50 ms', 'p95 ms', 'goal'),
    ...timings.map(({ name, p50Ms, p95Ms, goalMs }) => line(name, p50Ms.toFixed(0), p95Ms.toFixed(0), goalMs)),
    '',
    'Ratio: requests per second divided by those of the bare server. CPU: ms per request of the product, in Node and in PostgreSQL.',
    'p50 and p95 in the second table: latency of a single client, measured without other load. Goals are for p95.',
    `Memory of the product's Node process: ${memoryMb.afterStart} MB idle after the start, ${memoryMb.afterLastRequest} MB right after the measurement, ${memoryMb.idle} MB idle again (goal: under ${idleMemoryGoalMb} MB idle)`,
  ].join('\n')
}

function cpuCells(cpu: CpuTimes | undefined): string[] {
  if (!cpu) return ['', '', '']
  return [cpu.nodeMs, cpu.postgresMs, cpu.nodeMs + cpu.postgresMs].map((ms) => ms.toFixed(2))
}

function computeCpuPerRequest(rounds: Round[]): CpuTimes | undefined {
  const measuredRounds = rounds.flatMap(({ cpu, latenciesMs }) => (cpu ? [{ ...cpu, requests: latenciesMs.length }] : []))
  if (measuredRounds.length === 0) return undefined
  const requests = measuredRounds.reduce((sum, round) => sum + round.requests, 0)
  const perRequest = (key: keyof CpuTimes): number => measuredRounds.reduce((sum, round) => sum + round[key], 0) / requests
  return { nodeMs: perRequest('nodeMs'), postgresMs: perRequest('postgresMs') }
}

function computeSpeed(outcomes: Outcome[]): Speed {
  const latencies = outcomes.flatMap(({ latenciesMs }) => latenciesMs)
  return { perSecond: requestsPerSecond(outcomes), p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99) }
}

function requestsPerSecond(outcomes: Outcome[]): number {
  const responses = outcomes.reduce((sum, { latenciesMs }) => sum + latenciesMs.length, 0)
  const elapsedMs = outcomes.reduce((sum, outcome) => sum + outcome.elapsedMs, 0)
  return (1000 * responses) / elapsedMs
}
