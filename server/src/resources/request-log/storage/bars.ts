/** Bars of a chart over time. They start on the UTC clock: days at midnight, quarters of days at 00:00, 06:00 and so on. */
export interface Period {
  fromMs: number;
  barMs: number;
  bars: number;
}

export const endMs = ({ fromMs, barMs, bars }: Period): number => fromMs + barMs * bars;
