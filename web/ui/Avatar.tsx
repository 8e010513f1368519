import classes from './Avatar.module.css'

type AvatarProps = { id: string; name: string; size?: 20 | 24 | 32 | 48; shape?: 'round' | 'square' }

const colourCount = 8

/**
 * The initials of a person or a company. The id decides the colour. Screen readers ignore the avatar, because the name is next to it.
 */
export function Avatar({ id, name, size = 24, shape = 'round' }: AvatarProps) {
  return (
    <span
      className={classes['avatar']}
      data-initials={getInitials(name)}
      data-colour={getColour(id)}
      data-size={size}
      data-shape={shape}
      aria-hidden="true"
    />
  )
}

/**
 * Returns "NE" for "Nora Ellisande" and "Nora van der Ellisande", and "NO" for "Nora". `Array.from` splits a text into whole characters,
 * also those that need two code units.
 */
function getInitials(name: string): string {
  const words = name.trim().split(/\s+/)
  const [first = '', second = ''] = Array.from(words[0] ?? '')
  const lastWord = words.length > 1 ? (words.at(-1) ?? '') : ''
  const [firstOfLastWord = second] = Array.from(lastWord)
  return (first + firstOfLastWord).toUpperCase()
}

/** Returns a number from 0 to 7. The FNV-1a hash reads all characters, because ids that were created in the same hour begin alike. */
function getColour(id: string): number {
  // the two constants belong to FNV-1a, and `>>> 0` makes the result positive
  let hash = 0x811c9dc5
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0) % colourCount
}
