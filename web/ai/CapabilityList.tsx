import { IconCheck, IconMinus, IconX } from '@tabler/icons-react'
import type { Capabilities } from '#contract/ai.ts'
import classes from './AiSettings.module.css'

const texts: readonly [keyof Capabilities, { yes: string; no: string; unknown: string }][] = [
  [
    'tools',
    {
      yes: 'Looks things up and suggests changes',
      no: 'Cannot look things up or suggest changes',
      unknown: 'Looking things up: not known yet',
    },
  ],
  [
    'structured_output',
    { yes: 'Fills in forms from a text', no: 'Fills in forms from a text, with more mistakes', unknown: 'Filling in forms: not known yet' },
  ],
  ['vision', { yes: 'Sees pictures', no: 'Cannot see pictures', unknown: 'Seeing pictures: not known yet' }],
  ['images', { yes: 'Makes pictures', no: 'Cannot make pictures', unknown: 'Making pictures: not known yet' }],
]

/** Says in plain words what the connected models can do. Shows nothing before the first test. */
export function CapabilityList({ capabilities, hasImageModel }: { capabilities: Capabilities; hasImageModel: boolean }) {
  if (Object.values(capabilities).every((value) => value === null)) return null
  return (
    <ul className={classes['capabilities']} aria-label="What the AI can do">
      {texts.map(([name, text]) => (
        <Capability
          key={name}
          isPossible={capabilities[name]}
          text={name === 'images' && !hasImageModel ? { ...text, unknown: 'Makes no pictures without a model for them' } : text}
        />
      ))}
    </ul>
  )
}

type CapabilityProps = { isPossible: boolean | null; text: { yes: string; no: string; unknown: string } }

function Capability({ isPossible, text }: CapabilityProps) {
  if (isPossible === null) return <CapabilityRow icon={IconMinus} text={text.unknown} />
  return isPossible ? <CapabilityRow icon={IconCheck} text={text.yes} /> : <CapabilityRow icon={IconX} text={text.no} />
}

const CapabilityRow = ({ icon: Icon, text }: { icon: typeof IconCheck; text: string }) => (
  <li className={classes['capability']}>
    <Icon size={16} stroke={1.75} aria-hidden />
    {text}
  </li>
)
