import type { ReactNode } from 'react'
import { Icon, type IconName } from '../Icon.tsx'
import { Avatar } from './Avatar.tsx'
import { openedDeal } from './deals.ts'

const buttons: IconName[] = ['arrowUp', 'arrowDown', 'open', 'more', 'cross']

/** The side panel of a deal in the picture. */
export function DealPanel() {
  return (
    <div className="panel">
      <div className="panel-head">
        Deal
        {buttons.map((name) => (
          <Icon key={name} name={name} />
        ))}
      </div>
      <div className="panel-body">
        <b className="panel-title">{openedDeal}</b>
        <Property icon="dot" label="Stage" aside="since yesterday">
          <span className="badge" data-stage="proposal">
            Proposal
          </span>
        </Property>
        <Property icon="money" label="Value">
          £26,400.00
        </Property>
        <Property icon="chart" label="Probability" aside="counts as £13,200 in the forecast">
          50%
        </Property>
        <Property icon="calendar" label="Close date" aside="in 13 days">
          4 Dec
        </Property>
        <Property icon="people" label="Contact">
          <Avatar colourIndex={0}>IV</Avatar>
          <span className="panel-link">Imara Vantongeren</span>
        </Property>
        <Property icon="building" label="Company">
          <span className="panel-link">Quillstone Dental</span>
        </Property>
        <p>
          Twelve seats, new reception desk with a lowered section, wall panelling behind it. Oak veneer, matt. Work outside opening hours.
        </p>
        <Tasks />
        <Activity />
      </div>
    </div>
  )
}

function Property({ icon, label, aside, children }: { icon: IconName; label: string; aside?: string; children: ReactNode }) {
  return (
    <div className="property">
      <span className="property-label">
        <Icon name={icon} />
        {label}
      </span>
      {children}
      {aside && <small>{aside}</small>}
    </div>
  )
}

function Tasks() {
  return (
    <div className="panel-section">
      <b>Tasks</b> <small>2</small>
      <div className="task">
        Send drawings with the lowered desk <small className="task-late">Yesterday</small>
      </div>
      <div className="task">
        Order oak sample, matt <small>Tue</small>
      </div>
    </div>
  )
}

function Activity() {
  return (
    <div className="panel-section activity">
      <b>Activity</b>
      <span>
        <b>You</b> moved it from Qualified to Proposal <small>· Yesterday</small>
      </span>
      <span>
        <b>You</b> raised the value from £24,000 to £26,400 <small>· Thu 19 Nov</small>
      </span>
      <span>
        <b>You</b> created it from <b>Request a quote</b> <small>· 2 Nov</small>
      </span>
    </div>
  )
}
