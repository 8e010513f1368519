import { signUpAddress } from './addresses.ts'
import { Door } from './Door.tsx'

export function CallToAction() {
  return (
    <section className="call" aria-labelledby="call-title">
      <div className="width">
        <div className="call-words">
          <h2 id="call-title">Your customers are at the door already</h2>
          <p>Make an account, drop in your contact list, share a booking link. That is the whole setup.</p>
          <a className="button button-primary button-large" href={signUpAddress}>
            Create Free Account
          </a>
          <p className="call-price">No card, no trial, no paid plan.</p>
        </div>
        <Door opening="wide" />
      </div>
    </section>
  )
}
