/** The round with a person's initials; `tone` picks one of the eight avatar colours. */
export function Person({ tone, children }: { tone: number; children: string }) {
  return (
    <span className="person" data-tone={tone}>
      {children}
    </span>
  )
}
