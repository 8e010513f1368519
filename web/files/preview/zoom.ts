const steps = [0.1, 0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4]

/** Returns the next larger step of the zoom, at most 400 %. */
export const zoomIn = (zoom: number): number => steps.find((step) => step > zoom + 0.005) ?? zoom

/** Returns the next smaller step of the zoom, at least 10 %. */
export const zoomOut = (zoom: number): number => steps.findLast((step) => step < zoom - 0.005) ?? zoom
