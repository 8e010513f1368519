const steps = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

/** The marks of a scale of whole things from nothing up to `most`: 0, a half and the end, all of them short numbers. */
export function marksUpTo(most: number): [nothing: 0, half: number, end: number] {
  const power = 10 ** Math.floor(Math.log10(Math.max(most / 2, 1)))
  const half =
    steps.map((step) => Math.round(step * power * 10) / 10).find((mark) => Number.isInteger(mark) && mark * 2 >= most) ?? most / 2
  return [0, half, half * 2]
}
