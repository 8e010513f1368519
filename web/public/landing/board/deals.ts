type Deal = { title: string; company: string; pounds: number; closes?: string; late?: true; contact: string; colour: number }
type Column = { stage: string; label: string; probability: number; deals: Deal[] }

/** The example data of the pictured board: the deals of an invented joinery. `contact` are the initials of the contact. */
export const board: Column[] = [
  {
    stage: 'lead',
    label: 'Lead',
    probability: 0.1,
    deals: [
      { title: 'Reading nook and curved bench', company: 'Wrenhouse Books', pounds: 3200, closes: '15 Jan', contact: 'ES', colour: 6 },
      { title: 'Bar refit', company: 'Lowcombe Theatre', pounds: 18_500, contact: 'DF', colour: 7 },
      { title: 'Bike display wall', company: 'Ravelin Cycles', pounds: 4750, closes: '30 Jan', contact: 'AP', colour: 1 },
      { title: 'Staff kitchen', company: 'Tallowfield Clinic', pounds: 6400, closes: '12 Feb', contact: 'PN', colour: 6 },
    ],
  },
  {
    stage: 'qualified',
    label: 'Qualified',
    probability: 0.25,
    deals: [
      { title: 'Second branch fit-out', company: 'Ostrand Optics', pounds: 42_000, closes: '27 Feb', contact: 'TM', colour: 7 },
      { title: 'Mat storage', company: 'Coldharbour Yoga', pounds: 2900, closes: '12 Dec', contact: 'LA', colour: 0 },
      { title: 'Sample library wall', company: 'Umber Lane Studio', pounds: 8200, closes: '22 Jan', contact: 'PL', colour: 3 },
      { title: 'Recovery ward cupboards', company: 'Fernhollow Vets', pounds: 11_600, contact: 'KS', colour: 5 },
    ],
  },
  {
    stage: 'proposal',
    label: 'Proposal',
    probability: 0.5,
    deals: [
      { title: 'Waiting room and reception desk', company: 'Quillstone Dental', pounds: 26_400, closes: '4 Dec', contact: 'IV', colour: 0 },
      { title: 'Coffee counter, two sites', company: 'Gristmill Coffee', pounds: 14_800, closes: '9 Dec', contact: 'RD', colour: 0 },
      { title: 'Library shelving', company: 'Brightlintel School', pounds: 31_250, closes: '18 Dec', contact: 'CU', colour: 3 },
      { title: 'Ticket desk', company: 'Lowcombe Theatre', pounds: 5900, closes: '8 Jan', contact: 'DF', colour: 7 },
    ],
  },
  {
    stage: 'negotiation',
    label: 'Negotiation',
    probability: 0.75,
    deals: [
      { title: 'Lobby seating and key wall', company: 'Harrowmere Hotel', pounds: 58_000, closes: '28 Nov', contact: 'BO', colour: 5 },
      { title: 'Meeting room joinery', company: 'Northquay Legal', pounds: 21_600, closes: '19 Nov', late: true, contact: 'MH', colour: 2 },
    ],
  },
  {
    stage: 'closed-won',
    label: 'Closed Won',
    probability: 0,
    deals: [
      { title: 'Window seats', company: 'Gristmill Coffee', pounds: 4300, closes: '16 Nov', contact: 'RD', colour: 0 },
      { title: 'Shop counter', company: 'Tidewick Bakery', pounds: 9300, closes: '14 Nov', contact: 'ST', colour: 2 },
      { title: 'Display cabinets', company: 'Almond & Bury', pounds: 12_150, closes: '6 Nov', contact: 'YR', colour: 7 },
      { title: 'Print room benches', company: 'Pellam Print', pounds: 7900, closes: '30 Oct', contact: 'OF', colour: 3 },
    ],
  },
  {
    stage: 'closed-lost',
    label: 'Closed Lost',
    probability: 0,
    deals: [{ title: 'Chart table refit', company: 'Sternway Marine', pounds: 16_000, closes: '11 Nov', contact: 'HB', colour: 3 }],
  },
]

/** The deal that the panel of the picture shows. */
export const openedDeal = 'Waiting room and reception desk'

export const sumOf = (deals: Deal[]): number => deals.reduce((sum, { pounds }) => sum + pounds, 0)

/** The expected value of the open deals, in pounds. */
export const forecast = board.reduce((sum, { deals, probability }) => sum + sumOf(deals) * probability, 0)

const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP', maximumFractionDigits: 0 })
export const inPounds = (value: number): string => pounds.format(value)
