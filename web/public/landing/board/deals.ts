type Deal = { title: string; company: string; value: number; closeDate?: string; isLate?: true; initials: string; colourIndex: number }
type Column = { stage: string; label: string; probability: number; deals: Deal[] }

/**
 * The example deals in the picture of the board. They belong to a fictional company that builds furniture. `probability` is 0 for closed
 * deals, which are not part of the forecast.
 */
export const board: Column[] = [
  {
    stage: 'lead',
    label: 'Lead',
    probability: 0.1,
    deals: [
      {
        title: 'Reading nook and curved bench',
        company: 'Wrenhouse Books',
        value: 3200,
        closeDate: '15 Jan',
        initials: 'ES',
        colourIndex: 6,
      },
      { title: 'Bar refit', company: 'Lowcombe Theatre', value: 18_500, initials: 'DF', colourIndex: 7 },
      { title: 'Bike display wall', company: 'Ravelin Cycles', value: 4750, closeDate: '30 Jan', initials: 'AP', colourIndex: 1 },
      { title: 'Staff kitchen', company: 'Tallowfield Clinic', value: 6400, closeDate: '12 Feb', initials: 'PN', colourIndex: 6 },
    ],
  },
  {
    stage: 'qualified',
    label: 'Qualified',
    probability: 0.25,
    deals: [
      { title: 'Second branch fit-out', company: 'Ostrand Optics', value: 42_000, closeDate: '27 Feb', initials: 'TM', colourIndex: 7 },
      { title: 'Mat storage', company: 'Coldharbour Yoga', value: 2900, closeDate: '12 Dec', initials: 'LA', colourIndex: 0 },
      { title: 'Sample library wall', company: 'Umber Lane Studio', value: 8200, closeDate: '22 Jan', initials: 'PL', colourIndex: 3 },
      { title: 'Recovery ward cupboards', company: 'Fernhollow Vets', value: 11_600, initials: 'KS', colourIndex: 5 },
    ],
  },
  {
    stage: 'proposal',
    label: 'Proposal',
    probability: 0.5,
    deals: [
      {
        title: 'Waiting room and reception desk',
        company: 'Quillstone Dental',
        value: 26_400,
        closeDate: '4 Dec',
        initials: 'IV',
        colourIndex: 0,
      },
      {
        title: 'Coffee counter, two sites',
        company: 'Gristmill Coffee',
        value: 14_800,
        closeDate: '9 Dec',
        initials: 'RD',
        colourIndex: 0,
      },
      { title: 'Library shelving', company: 'Brightlintel School', value: 31_250, closeDate: '18 Dec', initials: 'CU', colourIndex: 3 },
      { title: 'Ticket desk', company: 'Lowcombe Theatre', value: 5900, closeDate: '8 Jan', initials: 'DF', colourIndex: 7 },
    ],
  },
  {
    stage: 'negotiation',
    label: 'Negotiation',
    probability: 0.75,
    deals: [
      {
        title: 'Lobby seating and key wall',
        company: 'Harrowmere Hotel',
        value: 58_000,
        closeDate: '28 Nov',
        initials: 'BO',
        colourIndex: 5,
      },
      {
        title: 'Meeting room joinery',
        company: 'Northquay Legal',
        value: 21_600,
        closeDate: '19 Nov',
        isLate: true,
        initials: 'MH',
        colourIndex: 2,
      },
    ],
  },
  {
    stage: 'closed-won',
    label: 'Closed Won',
    probability: 0,
    deals: [
      { title: 'Window seats', company: 'Gristmill Coffee', value: 4300, closeDate: '16 Nov', initials: 'RD', colourIndex: 0 },
      { title: 'Shop counter', company: 'Tidewick Bakery', value: 9300, closeDate: '14 Nov', initials: 'ST', colourIndex: 2 },
      { title: 'Display cabinets', company: 'Almond & Bury', value: 12_150, closeDate: '6 Nov', initials: 'YR', colourIndex: 7 },
      { title: 'Print room benches', company: 'Pellam Print', value: 7900, closeDate: '30 Oct', initials: 'OF', colourIndex: 3 },
    ],
  },
  {
    stage: 'closed-lost',
    label: 'Closed Lost',
    probability: 0,
    deals: [{ title: 'Chart table refit', company: 'Sternway Marine', value: 16_000, closeDate: '11 Nov', initials: 'HB', colourIndex: 3 }],
  },
]

/** The title of the deal in the panel of the picture. */
export const openedDeal = 'Waiting room and reception desk'

export const sumValues = (deals: Deal[]): number => deals.reduce((sum, { value }) => sum + value, 0)

/** The expected value of the open deals, in pounds. */
export const forecast = board.reduce((sum, { deals, probability }) => sum + sumValues(deals) * probability, 0)

const poundFormat = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP', maximumFractionDigits: 0 })
export const formatPounds = (value: number): string => poundFormat.format(value)
