import { Gauge, type Registry } from "prom-client";

/** Makes gauges whose value is read when they are scraped. Names are without `beatmarket_`. */
export const scrapedGauges =
  (registry: Registry) =>
  (name: string, help: string, value: () => number): void => {
    new Gauge({
      name: `beatmarket_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  };

/** The same with a value for each entry, whose name is the label. */
export const scrapedGaugesBy =
  <T>(label: string, entries: () => [name: string, T][], registry: Registry) =>
  (name: string, help: string, value: (of: T) => number): void => {
    new Gauge({
      name: `beatmarket_${name}`,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        for (const [of, each] of entries()) this.set({ [label]: of }, value(each));
      },
    });
  };
