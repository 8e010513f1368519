import { Logo } from '../../Logo.tsx'
import { Icon } from '../Icon.tsx'
import type { IconName } from '../icons.ts'
import { Person } from './Person.tsx'

const groups: IconName[][] = [
  ['dashboard', 'sparkles', 'folder', 'form', 'mailBolt', 'key'],
  ['people', 'building', 'target', 'checkbox', 'gear'],
  ['calendar', 'chain'],
  ['plug', 'messages', 'robot'],
]

/** The folded sidebar, standing on Deals. */
export function BoardRail() {
  return (
    <div className="rail">
      <Logo />
      <span className="rail-search">
        <Icon name="search" />
      </span>
      {groups.map((icons) => (
        <div className="rail-group" key={icons[0]}>
          {icons.map((name) => (
            <span key={name} className={name === 'target' ? 'rail-current' : undefined}>
              <Icon name={name} />
            </span>
          ))}
        </div>
      ))}
      <div className="rail-foot">
        <Icon name="leave" />
        <Person tone={4}>NE</Person>
      </div>
    </div>
  )
}
