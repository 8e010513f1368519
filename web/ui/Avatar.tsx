import classes from './Avatar.module.css'

type AvatarProps = { id: string; name: string; size?: 20 | 24 | 32 | 48; shape?: 'round' | 'square' }

const colours = 8

/** The initials of a person or a company, in a colour derived from the id. Hidden from screen readers, because the name is next to it. */
export function Avatar({ id, name, size = 24, shape = 'round' }: AvatarProps) {
  return (
    <span
      className={classes['avatar']}
      data-initials={initials(name)}
      data-colour={colourOf(id)}
      data-size={size}
      data-shape={shape}
      aria-hidden="true"
    />
  )
}

/** Returns NE for "Nora Ellisande" and "Nora van der Ellisande", and the first two letters of a single word. */
function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  const [first = '', second = ''] = Array.from(words[0] ?? '')
  const [last = second] = words.length > 1 ? Array.from(words.at(-1) ?? '') : []
  return (first + last).toUpperCase()
}

/** Hashes all characters (FNV-1a), because many ids of version 7 have the same first characters. */
function colourOf(id: string): number {
  let hash = 0x811c9dc5
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0) % colours
}
