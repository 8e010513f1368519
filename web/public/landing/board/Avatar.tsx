/** A circle with a person's initials in one of the eight avatar colours. */
export function Avatar({ colour, children }: { colour: number; children: string }) {
  return (
    <span className="avatar" data-colour={colour}>
      {children}
    </span>
  )
}
