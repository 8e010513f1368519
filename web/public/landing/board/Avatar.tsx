/** A circle with initials. `colourIndex` is one of the eight avatar colours, 0 to 7. */
export function Avatar({ colourIndex, children }: { colourIndex: number; children: string }) {
  return (
    <span className="avatar" data-colour={colourIndex}>
      {children}
    </span>
  )
}
