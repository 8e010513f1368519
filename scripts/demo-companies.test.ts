import { expect, test } from 'vitest'
import { generateName } from './demo-companies.ts'

test('the names of 2,000 generated companies differ', () => {
  const names = Array.from({ length: 2000 }, (_, index) => generateName(index))
  expect(new Set(names).size).toBe(2000)
  // 2,000 names use the 238 combinations in 9 rounds: without a number, with 2, ... and with 9
  expect(names.filter((name) => name.startsWith('Foxley Print'))).toHaveLength(9)
})
