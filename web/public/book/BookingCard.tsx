import type { ReactNode } from 'react'
import { Logo } from '../Header.tsx'

const icons = {
  clock: ['M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0', 'M12 7v5l3 3'],
  globe: ['M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0', 'M3.6 9h16.8', 'M3.6 15h16.8', 'M11.5 3a17 17 0 0 0 0 18', 'M12.5 3a17 17 0 0 1 0 18'],
  calendar: ['M4 7a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2v-12', 'M16 3v4', 'M8 3v4', 'M4 11h16'],
}

/** A line below the description. `isZone`: it names the time zone, and a script replaces its text. */
type Fact = { icon: keyof typeof icons; text: string; isZone?: boolean }
type Props = {
  title: string
  ownerName: string
  color: string
  description?: string
  facts: readonly Fact[]
  footer?: string
  children: ReactNode
}

/** The card of a booking page: what is booked on the left, and the form on the right. */
export function BookingCard({ title, ownerName, color, description = '', facts, footer = 'Booked with Foyer', children }: Props) {
  return (
    <main id="content" className="page" tabIndex={-1}>
      <div className="card">
        {/* the colour is an attribute of SVG, because the content security policy forbids style attributes */}
        <svg className="bar" aria-hidden="true">
          <rect width="100%" height="100%" fill={color} />
        </svg>
        <div className="columns">
          <header className="about">
            {ownerName !== '' && (
              <p className="owner">
                <span className="initials" aria-hidden="true">
                  {initialsOf(ownerName)}
                </span>
                {ownerName}
              </p>
            )}
            <h1>{title}</h1>
            {description !== '' && <p className="description">{description}</p>}
            {facts.length > 0 && (
              <ul>
                {facts.map(({ icon, text, isZone = false }) => (
                  <li key={`${icon} ${text}`}>
                    <Icon name={icon} />
                    <span id={isZone ? 'zone-label' : undefined}>{text}</span>
                  </li>
                ))}
              </ul>
            )}
          </header>
          <div className="body">{children}</div>
        </div>
      </div>
      <Footer text={footer} />
    </main>
  )
}

/** A page with only a heading and a sentence. */
export const Notice = ({ heading, text }: { heading: string; text: string }) => (
  <main id="content" className="page" tabIndex={-1}>
    <section className="notice">
      <h1>{heading}</h1>
      <p>{text}</p>
    </section>
    <Footer text="Foyer" />
  </main>
)

const Footer = ({ text }: { text: string }) => (
  <p className="footer">
    <Logo />
    {text}
  </p>
)

const Icon = ({ name }: { name: keyof typeof icons }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
    {icons[name].map((path) => (
      <path key={path} d={path} />
    ))}
  </svg>
)

/** Returns the first letters of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map((word = '') => String.fromCodePoint(word.codePointAt(0) ?? 32))
  return letters.join('').trim().toUpperCase()
}
