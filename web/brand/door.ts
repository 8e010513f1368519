/** The door of the house, standing open: lines in a box of 160 by 120. The reveal is the quiet line inside the frame. */
export const door = {
  ground: 'M14 108h132',
  frame: 'M50 108V58a30 30 0 0 1 60 0v50',
  reveal: 'M58 108V58a22 22 0 0 1 44 0v50',
  leaf: 'M58 46l23 10c2 1 3 2.5 3 4.5V114c0 1.5-1.5 2.5-3 2l-23-8z',
  handle: 'M77 85v6',
}
