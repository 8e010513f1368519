// Input that clients in the wild, by mistake or on purpose, send.

/** Values for a field that wants something else. */
export const hostileValues: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53 + 2,
  2 ** 31,
  '',
  ' ',
  'x'.repeat(30_000),
  '\u0000',
  'a\u0000b',
  '\ud800',
  '👩‍👩‍👧'.repeat(200),
  "'; drop table crm_contacts; --",
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '%',
  '\\',
  'NaN',
  '1e999',
  [],
  [[]],
  ['a', null],
  {},
  { $gt: '' },
  { __proto__: 1, constructor: 2 },
]

/** Whole bodies. */
export const hostileBodies: string[] = [
  '{',
  'null',
  '[]',
  '"text"',
  '1',
  'undefined',
  '{"a":1,}',
  '{"__proto__":{"admin":true}}',
  '['.repeat(20_000),
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  '{"first_name":"\\u0000","last_name":"x"}',
  '{"first_name":"\\ud83d","last_name":"x"}',
  '\ufeff{}',
]

/** Repeatable chance: a small linear generator, so that a failure names its seed and comes again. */
export function createChance(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return {
    below: (limit: number): number => Math.floor(next() * limit),
    pick: <T>(list: readonly T[]): T | undefined => list[Math.floor(next() * list.length)],
  }
}
