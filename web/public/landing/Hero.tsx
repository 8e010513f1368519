import { signUpAddress } from './addresses.ts'
import { BoardPicture } from './board/BoardPicture.tsx'
import { Door } from './Door.tsx'

export function Hero() {
  return (
    <div className="width">
      <div className="hero">
        <div>
          <h1>Where your business meets its customers</h1>
          <p>Contacts, deals, bookings, forms and files in one workspace that runs on your own server. Free, with nothing held back.</p>
          <div className="hero-buttons">
            <a className="button button-primary button-large" href={signUpAddress}>
              Start Free
            </a>
            <a className="button button-quiet button-large" href="#features">
              See what it does
            </a>
          </div>
        </div>
        <Door opening="half" />
      </div>
      <BoardPicture />
    </div>
  )
}
